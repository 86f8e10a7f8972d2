// @ts-check
/// <reference lib="dom" />
import { useMemo } from "preact/hooks";
import { t } from "../i18n.js";
import { html } from "../ui.js";
import { markdownBlocks } from "./markdown.js";

/** @import { Block, Inline } from "./markdown.js" */

/**
 * A Markdown document. Its headings begin below those of the page.
 * @param {{ text: string, name: string }} props
 */
export function MarkdownView({ text, name }) {
  const blocks = useMemo(() => markdownBlocks(text), [text]);
  return html`
    <div class="preview preview-document" tabindex="0" role="region" aria-label=${t("preview.document_of", {
      name,
    })}>
      ${blocks.map(drawBlock)}
    </div>
  `;
}

/**
 * @param {Block} block
 * @param {number} key
 * @returns {import("preact").VNode}
 */
function drawBlock(block, key) {
  switch (block.kind) {
    case "heading":
      return html`
        <p key=${key} role="heading" aria-level=${Math.min(6, block.level + 2)}
          class="document-heading document-heading-${block.level}">${block.children.map(drawInline)}</p>
      `;
    case "code":
      return html`<pre key=${key}><code>${block.text}</code></pre>`;
    case "rule":
      return html`<hr key=${key} />`;
    case "quote":
      return html`<blockquote key=${key}>${block.children.map(drawBlock)}</blockquote>`;
    case "list":
      return html`<${block.ordered ? "ol" : "ul"} key=${key}>${
        block.items.map(({ checked, children }, index) =>
          html`<li key=${index} class=${checked === null ? undefined : "document-task"}>${
            checked !== null &&
            html`<input type="checkbox" disabled checked=${checked} aria-label=${
              checked ? t("preview.task_done") : t("preview.task_open")
            } />`
          }${children.map(drawBlock)}</li>`
        )
      }</${block.ordered ? "ol" : "ul"}>`;
    case "table":
      return html`
        <table key=${key}>
          <thead>
            <tr>${block.head.map((cell, index) =>
              html`<th key=${index} scope="col">${cell.map(drawInline)}</th>`
            )}</tr>
          </thead>
          <tbody>${block.rows.map((row, index) =>
            html`<tr key=${index}>${
              row.map((cell, column) => html`<td key=${column}>${cell.map(drawInline)}</td>`)
            }</tr>`
          )}</tbody>
        </table>
      `;
    default:
      return html`<p key=${key}>${block.children.map(drawInline)}</p>`;
  }
}

/**
 * @param {Inline} run
 * @param {number} key
 * @returns {import("preact").ComponentChild}
 */
function drawInline(run, key) {
  switch (run.kind) {
    case "code":
      return html`<code key=${key}>${run.text}</code>`;
    case "break":
      return html`<br key=${key} />`;
    case "strong":
      return html`<strong key=${key}>${run.children.map(drawInline)}</strong>`;
    case "emphasis":
      return html`<em key=${key}>${run.children.map(drawInline)}</em>`;
    case "strike":
      return html`<s key=${key}>${run.children.map(drawInline)}</s>`;
    case "link":
      return html`<a key=${key} href=${run.href} target="_blank" rel="noopener noreferrer nofollow">${
        run.children.map(drawInline)
      }</a>`;
    default:
      return run.text;
  }
}
