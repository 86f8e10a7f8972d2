// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { formatBytes } from "../format.js";
import { Button, html, Icon, Notice, Skeleton } from "../ui.js";
import { CsvTable } from "./csv_table.js";
import { readHead } from "./head.js";
import { hexLines } from "./hex.js";
import { indentedJson } from "./json.js";
import { previewKind } from "./kind.js";
import { legacyEncodings, textOf } from "./text.js";

/** Bytes of a text that are read. */
const textLimit = 1024 * 1024;

/** Bytes of anything else that are shown. */
const hexLimit = 4096;

/** Pictures above so many bytes wait for a click. */
const imageLimit = 25 * 1024 * 1024;

/**
 * @typedef {object} PreviewProps
 * @property {string} url where the object's bytes are served for looking at
 * @property {string} name
 * @property {string} contentType
 * @property {number} size bytes
 */

/**
 * An object to look at. Nothing of it ever runs as part of this page: pictures are drawn by `<img>`, a PDF by the
 * browser's viewer in a frame whose answer is sandboxed by its own policy, everything else is text.
 * @param {PreviewProps} props
 */
export function Preview(props) {
  const kind = previewKind(props.name, props.contentType);
  switch (kind) {
    case "image":
      return html`<${ImagePreview} ...${props} />`;
    case "pdf":
      return html`<${PdfPreview} ...${props} />`;
    case "video":
    case "audio":
      return html`<${MediaPreview} ...${props} kind=${kind} />`;
    default:
      return html`<${HeadPreview} ...${props} kind=${kind} />`;
  }
}

/** @param {PreviewProps} props */
function ImagePreview({ url, name, size }) {
  const [wanted, setWanted] = useState(size <= imageLimit);
  const [failed, setFailed] = useState(false);
  if (failed) return html`<${Unshown} reason="The browser cannot show this picture." />`;
  if (!wanted) {
    return html`<${OnClick} icon="file-image" label="Show picture (${formatBytes(size)})" run=${() =>
      setWanted(true)} />`;
  }
  return html`
    <div
      class="preview preview-image"><img src=${url} alt=${name} decoding="async" onError=${() =>
        setFailed(true)} /></div>
  `;
}

/** @param {PreviewProps} props */
function PdfPreview({ url, name }) {
  if (!navigator.pdfViewerEnabled) {
    return html`<${Unshown} reason="This browser does not show PDF files in a page." url=${url} />`;
  }
  return html`<iframe class="preview preview-pdf" title=${name} src=${url}></iframe>`;
}

/** @param {PreviewProps & { kind: "video" | "audio" }} props */
function MediaPreview({ url, name, size, kind }) {
  const [playing, setPlaying] = useState(false);
  const [failed, setFailed] = useState(false);
  if (failed) return html`<${Unshown} reason="The browser cannot play this file." />`;
  if (!playing) {
    return html`<${OnClick} icon="play" label="Play (${formatBytes(size)})" run=${() => setPlaying(true)} />`;
  }
  return html`
    <${kind} class="preview preview-${kind}" src=${url} title=${name} controls autoplay
      preload="metadata"
      onError=${() => setFailed(true)}>
      </${kind}>
  `;
}

/** @param {PreviewProps & { kind: "csv" | "json" | "text" | "hex" }} props */
function HeadPreview({ url, name, size, kind }) {
  const [head, setHead] = useState(
    /** @type {{ bytes: Uint8Array<ArrayBuffer>, complete: boolean } | null} */ (null),
  );
  const [error, setError] = useState("");
  const [encoding, setEncoding] = useState(
    /** @type {typeof legacyEncodings[number]} */ (legacyEncodings[0]),
  );
  useEffect(() => {
    const abort = new AbortController();
    setHead(null);
    setError("");
    const limit = kind === "hex" ? hexLimit : textLimit;
    readHead(url, { size, limit, signal: abort.signal }).then(setHead, (failure) => {
      if (!abort.signal.aborted) setError(failure.message);
    });
    return () => abort.abort();
  }, [url]);
  if (error) return html`<${Notice} kind="bad">${error}<//>`;
  if (head === null) {
    return html`
      <div class="preview preview-wait">
        <${Skeleton} rows=${4} />
      </div>
    `;
  }
  if (head.bytes.length === 0) return html`<${Unshown} reason="The object is empty." />`;
  const decoded = kind === "hex" ? null : textOf(head.bytes, head.complete, encoding);
  const text = decoded?.text ?? null;
  return html`
    ${text === null
      ? html`<pre class="preview preview-text" tabindex="0" aria-label="Bytes of ${name}">${
        hexLines(head.bytes.subarray(0, hexLimit))
      }</pre>`
      : kind === "csv"
      ? html`<${CsvTable} text=${text} complete=${head.complete} />`
      : html`<pre class="preview preview-text" tabindex="0" aria-label="Text of ${name}">${
        kind === "json" ? indentedJson(text) : text
      }</pre>`}
    ${decoded?.legacy && html`
      <label class="preview-note preview-encoding">Not UTF-8; shown as
        <select class="select" value=${encoding}
          onChange=${(/** @type {any} */ event) => setEncoding(event.target.value)}>
          ${legacyEncodings.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
        </select></label>
    `}
    <p class="preview-note">${noteOf(
      text === null ? Math.min(head.bytes.length, hexLimit) : head.bytes.length,
      size,
    )}</p>
  `;
}

/**
 * @param {number} shown bytes
 * @param {number} size bytes
 */
function noteOf(shown, size) {
  return shown < size
    ? `The first ${formatBytes(shown)} of ${formatBytes(size)}. Download it to see the rest.`
    : "";
}

/** @param {{ icon: string, label: string, run: () => void }} props */
function OnClick({ icon, label, run }) {
  return html`
    <div class="preview preview-none">
      <${Button} icon=${icon} onClick=${run}>${label}<//></div>
  `;
}

/** @param {{ reason: string, url?: string }} props */
function Unshown({ reason, url }) {
  return html`<div class="preview preview-none"><p>${reason}</p>${
    url && html`
      <a class="button" href=${url} target="_blank"
        rel="noopener"><${Icon} name="external" />Open in a new tab</a>
    `
  }</div>`;
}
