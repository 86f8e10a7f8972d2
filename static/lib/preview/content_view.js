// @ts-check
/// <reference lib="dom" />
import { useEffect, useMemo, useState } from "preact/hooks";
import { rich, t } from "../i18n.js";
import { Segmented } from "../segmented.js";
import { html } from "../ui.js";
import { CodeView } from "./code_view.js";
import { CsvTable } from "./csv_table.js";
import { hexLines } from "./hex.js";
import { grammarOf } from "./highlight.js";
import { indentedJson } from "./json.js";
import { jsonNodes } from "./json_nodes.js";
import { JsonTree } from "./json_tree.js";
import { MarkdownView } from "./markdown_view.js";
import { legacyEncodings, textOf } from "./text.js";

/** @import { PreviewKind } from "./kind.js" */

/** Bytes of a hex view. */
const hexLimit = 4096;

/** Characters of a JSON text that are laid out: each mark of it becomes a piece. */
const layoutLimit = 2 * 1024 * 1024;

/** Characters of a Markdown text that is drawn: each line of it may become an element. */
const documentLimit = 256 * 1024;

/**
 * Bytes as what they are: a table, a tree, a document, text; the bytes themselves where they are no text.
 * @param {{
 *   bytes: Uint8Array<ArrayBuffer>, complete: boolean, name: string, contentType: string, kind: PreviewKind,
 *   onBinary?: () => void
 * }} props `complete` whether they are the whole object; `onBinary` is called when they are no text
 */
export function ContentView({ bytes, complete, name, contentType, kind, onBinary }) {
  const [encoding, setEncoding] = useState(
    /** @type {typeof legacyEncodings[number]} */ (legacyEncodings[0]),
  );
  const [source, setSource] = useState(false);
  const decoded = useMemo(
    () => kind === "hex" ? null : textOf(bytes, complete, encoding),
    [bytes, complete, encoding],
  );
  useEffect(() => {
    if (decoded === null) onBinary?.();
  }, [decoded === null]);
  if (decoded === null) {
    return html`<pre class="preview preview-text preview-hex" tabindex="0" aria-label=${
      t("preview.bytes_of", { name })
    }>${hexLines(bytes.subarray(0, hexLimit))}</pre>`;
  }
  const drawn = source ? null : drawnAs({ kind, text: decoded.text, complete, name });
  return html`
    ${drawn?.view ?? html`
      <${CodeView} text=${laidOut(kind, decoded.text, source)} name=${name}
        grammar=${grammarOf(name, contentType)} />
    `}
    ${(drawn !== null || source) && html`
      <div class="preview-bar">
        <span></span>
        <${Segmented} label=${t("preview.shown_as")} value=${source ? "source" : "drawn"}
          onChange=${(/** @type {string} */ value) => setSource(value === "source")}
          options=${[["drawn", wordOf(kind)], ["source", t("preview.as_text")]]} />
      </div>
    `}
    ${decoded.legacy && html`
      <label class="preview-note preview-encoding"><span>${rich("preview.encoding", {
        choice: html`
          <select class="select" value=${encoding} aria-label=${t("preview.encoding_label")}
            onChange=${(/** @type {any} */ event) => setEncoding(event.target.value)}>
            ${legacyEncodings.map((item) => html`<option key=${item} value=${item}>${item}</option>`)}
          </select>
        `,
      })}</span></label>
    `}
  `;
}

/**
 * The view that fits a kind of text, `null` for text that is only text.
 *
 * @param {{ kind: PreviewKind, text: string, complete: boolean, name: string }} content
 */
function drawnAs({ kind, text, complete, name }) {
  if (kind === "csv") return { view: html`<${CsvTable} text=${text} complete=${complete} />` };
  if (kind === "markdown" && text.length > documentLimit) return null;
  if (kind === "markdown") return { view: html`<${MarkdownView} text=${text} name=${name} />` };
  const root = kind === "json" && complete ? jsonNodes(text) : null;
  return root === null ? null : { view: html`<${JsonTree} root=${root} name=${name} />` };
}

/** @param {PreviewKind} kind */
function wordOf(kind) {
  if (kind === "csv") return t("preview.as_table");
  return kind === "json" ? t("preview.as_tree") : t("preview.as_document");
}

/**
 * @param {PreviewKind} kind
 * @param {string} text
 * @param {boolean} source whether it was asked for in place of a drawing
 */
function laidOut(kind, text, source) {
  return kind === "json" && text.length < layoutLimit && !(source && text.includes("\n"))
    ? indentedJson(text)
    : text;
}
