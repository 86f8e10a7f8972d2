// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { Button, html } from "../ui.js";
import { ArchivePreview } from "./archive_view.js";
import { GzipPreview } from "./gzip_view.js";
import { HeadPreview } from "./head_view.js";
import { ImagePreview } from "./image_view.js";
import { previewKind } from "./kind.js";
import { ParquetPreview } from "./parquet_view.js";
import { Unshown } from "./unshown.js";

/**
 * @typedef {object} PreviewProps
 * @property {string} url where the object's bytes are served for looking at
 * @property {string} name
 * @property {string} contentType
 * @property {number} size bytes
 * @property {string} etag
 */

/**
 * An object to look at. Nothing of it ever runs as part of this page: pictures are drawn by `<img>`, a PDF by the
 * browser's viewer in a frame whose answer is sandboxed by its own policy, everything else is text.
 * @param {PreviewProps} props
 */
export function Preview(props) {
  const kind = previewKind(props.name, props.contentType);
  if (props.size === 0) return html`<${Unshown} reason=${t("preview.empty")} />`;
  switch (kind) {
    case "image":
      return html`<${ImagePreview} ...${props} />`;
    case "pdf":
      return html`<${PdfPreview} ...${props} />`;
    case "video":
    case "audio":
      return html`<${MediaPreview} ...${props} kind=${kind} />`;
    case "zip":
      return html`<${ArchivePreview} ...${props} />`;
    case "parquet":
      return html`<${ParquetPreview} ...${props} />`;
    case "gzip":
      return html`<${GzipPreview} ...${props} />`;
    default:
      return html`<${HeadPreview} ...${props} kind=${kind} />`;
  }
}

/** @param {PreviewProps} props */
function PdfPreview({ url, name }) {
  if (!navigator.pdfViewerEnabled) return html`<${Unshown} reason=${t("preview.no_pdf")} url=${url} />`;
  return html`<iframe class="preview preview-pdf" title=${name} src=${url}></iframe>`;
}

/** @param {PreviewProps & { kind: "video" | "audio" }} props */
function MediaPreview({ url, name, size, kind }) {
  const [playing, setPlaying] = useState(false);
  const [failed, setFailed] = useState(false);
  if (failed) return html`<${Unshown} reason=${t("preview.unplayable")} />`;
  if (!playing) {
    return html`
      <div class="preview preview-none">
        <${Button} icon="play" onClick=${() => setPlaying(true)}>${t("preview.play", {
          size: formatBytes(size),
        })}<//></div>
    `;
  }
  return html`
    <${kind} class="preview preview-${kind}" src=${url} title=${name} controls autoplay
      playsinline
      preload="metadata"
      onError=${() => setFailed(true)}>
      </${kind}>
  `;
}
