// @ts-check
import { html } from "../html.js";

/** @import { Browser } from "./browser.js" */

/**
 * How much of everything that is listed something is, as a line below its size.
 * @param {{ browser: Browser, bytes: number }} props
 */
export function SizeShare({ browser, bytes }) {
  const total = browser.totalBytes.value;
  return total > 0 && html`
    <svg class="size-share" aria-hidden="true">
      <rect width="${(100 * bytes / total).toFixed(1)}%" height="2" />
    </svg>
  `;
}
