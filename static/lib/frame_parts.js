// @ts-check
import { html } from "./html.js";
import { healthState } from "./health_state.js";

// The parts of the frame that change from page to page: drawn by the server first, and here when a page is swapped.

/**
 * One step of the path in the top bar; the last one is the page itself.
 * @typedef {{ readonly label: string, readonly href?: string }} Crumb
 */

/**
 * A backend as the rail shows it.
 * @typedef {{ readonly id: string, readonly name: string, readonly healthy?: boolean | null,
 *   readonly last_probe_at?: string | null }} BackendLink
 */

/** @param {{ crumbs: readonly Crumb[] }} props */
export function Crumbs({ crumbs }) {
  return html`
    <ol>${crumbs.map(({ label, href }, index) => {
      const last = index === crumbs.length - 1;
      return html`<li key=${index}>${
        href === undefined || last
          ? html`<span aria-current=${last ? "page" : undefined}>${label}</span>`
          : html`<a href=${href}>${label}</a>`
      }</li>`;
    })}</ol>
  `;
}

/**
 * The backends as the rail shows them. They are in one element, so that drawing them over those that the server drew leaves
 * none of these behind.
 * @param {{ backends: readonly BackendLink[], path: string }} props
 */
export function BackendLinks({ backends, path }) {
  return html`<div>${
    backends.map((backend) => {
      const href = `/b/${encodeURIComponent(backend.id)}`;
      const { kind, word } = healthState(backend);
      return html`
        <a class="rail-link" key=${backend.id} href=${href} title="${backend.name}: ${word}"
          aria-current=${currentAt(href, path)}>
          <span class="dot dot-${kind}" role="img" aria-label=${word}></span><span>${backend.name}</span>
        </a>
      `;
    })
  }</div>`;
}

/**
 * What `aria-current` says of a link in the navigation while the page at `path` is shown: the page itself, or one below.
 * @param {string} href
 * @param {string} path
 * @param {string} [below] where the pages below it are, if not below its own address
 * @returns {"page" | "true" | undefined}
 */
export function currentAt(href, path, below = href) {
  if (path === href) return "page";
  return below !== "/" && path.startsWith(`${below}/`) ? "true" : undefined;
}
