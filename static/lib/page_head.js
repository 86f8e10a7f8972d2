// @ts-check
import { html } from "./html.js";

/**
 * The head of a page: its one `h1`, a mark beside it, a sentence, and what can be done.
 * @param {{ title: any, mark?: any, children?: any, actions?: any }} props
 */
export function PageHead({ title, mark, children, actions }) {
  return html`<header class="page-head">
    <div><h1>${title}</h1>${mark && html`<span class="page-mark">${mark}</span>`}${
    children && html`<p>${children}</p>`
  }</div>
    ${actions && html`<div class="page-actions">${actions}</div>`}
  </header>`;
}
