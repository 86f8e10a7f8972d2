// @ts-check
import { html } from "../html.js";
import { headAndTail, pieces } from "./key_text.js";

/**
 * A name, or part of a key, written so that nothing of it is hidden. A long one is cut in its middle when it does not
 * fit, and keeps its end.
 * @param {{ name: string }} props
 */
export function KeyLabel({ name }) {
  const shown = pieces(name);
  if (shown.length === 1 && !shown[0].mark) {
    const [head, tail] = headAndTail(name);
    return html`<bdi class="key-label" dir="ltr"><span class="key-head">${head}</span>${
      tail && html`<span class="key-tail">${tail}</span>`
    }</bdi>`;
  }
  return html`<bdi class="key-label" dir="ltr"><span class="key-head">${
    shown.map(({ text, mark }) => mark ? html`<span class="key-mark" title=${mark}>${text}</span>` : text)
  }</span></bdi>`;
}

const icons = /** @type {const} */ ([
  ["file-image", /\.(?:avif|bmp|gif|heic|ico|jpe?g|png|svg|tiff?|webp)$/i],
  ["file-archive", /\.(?:7z|br|bz2|gz|jar|rar|tar|tgz|xz|zip|zst)$/i],
  ["file-media", /\.(?:aac|avi|flac|m4[av]|mkv|mov|mp[34]|og[agv]|opus|wav|webm)$/i],
  ["file-text", /\.(?:csv|docx?|html?|json|log|md|pdf|rtf|tsv|txt|xlsx?|xml|ya?ml)$/i],
]);

/**
 * The icon for a row: by the name's extension, since a listing does not tell content types.
 * @param {{ folder: boolean, name: string }} entry
 */
export function iconOf({ folder, name }) {
  if (folder) return "folder";
  return icons.find(([, pattern]) => pattern.test(name))?.[0] ?? "file";
}
