// @ts-check
/// <reference lib="dom" />
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { html, Notice } from "../ui.js";
import { ContentView } from "./content_view.js";
import { unpackedHead } from "./gzip.js";
import { readHead } from "./head.js";
import { HeadPreview } from "./head_view.js";
import { previewKind } from "./kind.js";
import { useReading } from "./reading.js";
import { PreviewWait } from "./unshown.js";

/** @import { PreviewProps } from "./preview.js" */

/** Bytes that are read, and that are unpacked of them at most. */
const packedLimit = 512 * 1024;
const unpackedLimit = 1024 * 1024;

/** What a beginning cannot be shown as, since it needs the whole or its end. */
const kindsFromText = new Set(["csv", "json", "markdown", "text"]);

/**
 * The beginning of what a gzip file holds.
 * @param {PreviewProps} props
 */
export function GzipPreview(props) {
  const { url, name, size } = props;
  const { value, error } = useReading(async (signal) => {
    const { bytes } = await readHead(url, { size, limit: packedLimit, signal });
    return await unpackedHead(bytes, unpackedLimit);
  }, [url]);
  if (error) return html`<${Notice} kind="bad">${error}<//>`;
  if (value === undefined) return html`<${PreviewWait} />`;
  if (value === null) return html`<${HeadPreview} ...${props} kind="hex" />`;
  const inner = name.replace(/\.gz$/i, "");
  const found = previewKind(inner, "");
  return html`
    <${ContentView} bytes=${value.bytes} complete=${value.complete} name=${inner} contentType=""
      kind=${kindsFromText.has(found) ? found : "text"} />
    <p class="preview-note">${value.complete
      ? t("preview.unpacked", { size: formatBytes(value.bytes.length) })
      : t("preview.unpacked_head", { size: formatBytes(value.bytes.length) })}</p>
  `;
}
