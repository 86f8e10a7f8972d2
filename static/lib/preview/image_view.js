// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { formatBytes, formatNumber } from "../format.js";
import { t } from "../i18n.js";
import { LazyComponent } from "../lazy_component.js";
import { Segmented } from "../segmented.js";
import { Button, html } from "../ui.js";
import { Unshown } from "./unshown.js";

/** @import { PreviewProps } from "./preview.js" */

/** Pictures above so many bytes wait for a click. */
const imageLimit = 25 * 1024 * 1024;

const exif = new LazyComponent(async () => (await import("./exif_view.js")).ExifView);

/**
 * A picture, as large as fits or as it is, on a chequered ground that shows what is transparent.
 * @param {PreviewProps} props
 */
export function ImagePreview({ url, name, contentType, size }) {
  const [wanted, setWanted] = useState(size <= imageLimit);
  const [failed, setFailed] = useState(false);
  const [natural, setNatural] = useState({ width: 0, height: 0 });
  const [hasExif, setHasExif] = useState(false);
  const [scale, setScale] = useState(/** @type {"fit" | "full"} */ ("fit"));
  if (failed) return html`<${Unshown} reason=${t("preview.bad_picture")} />`;
  if (!wanted) {
    return html`
      <div class="preview preview-none">
        <${Button} icon="file-image" onClick=${() => setWanted(true)}>${t("preview.show_picture", {
          size: formatBytes(size),
        })}<//></div>
    `;
  }
  const measure = (/** @type {any} */ { target }) =>
    setNatural({ width: target.naturalWidth, height: target.naturalHeight });
  const canHaveExif = contentType.startsWith("image/jpeg") || /\.jpe?g$/i.test(name);
  const toggleExif = () => exif.load().then(() => setHasExif(!hasExif), () => {});
  return html`
    <div class="preview preview-image" data-scale=${scale} tabindex=${scale === "full"
      ? 0
      : undefined}><img src=${url}
      alt=${name} decoding="async" onLoad=${measure} onError=${() => setFailed(true)} /></div>
    <div class="preview-bar">
      <span class="number">${natural.width > 0 &&
        `${formatNumber(natural.width)} × ${formatNumber(natural.height)}`}</span>
      ${canHaveExif && html`
        <${Button} small=${true} aria-expanded=${hasExif ? "true" : "false"} onClick=${toggleExif}>${t(
          "preview.exif",
        )}<//>
      `}
      <${Segmented} label=${t("preview.scale")} value=${scale} onChange=${setScale}
        options=${[["fit", t("preview.fit")], ["full", "100 %"]]} />
    </div>
    ${hasExif && html`<${exif.View} url=${url} size=${size} />`}
  `;
}
