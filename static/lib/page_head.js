// @ts-check
import { html } from "./html.js";

/**
 * The head of a page: its one `h1`, a sentence, and what can be done.
 * @param {{ title: any, children?: any, actions?: any }} props
 */
export function PageHead({ title, children, actions }) {
  return html`<header class="page-head">
    <div><h1>${title}</h1>${children && html`<p>${children}</p>`}</div>
    ${actions && html`<div class="page-actions">${actions}</div>`}
  </header>`;
}
