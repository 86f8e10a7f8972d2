// @ts-check
import { html } from "./html.js";

/** The product's mark: three drives, one of them marked. */
export function BrandMark() {
  return html`
    <svg class="brand-mark" viewBox="0 0 20 20" aria-hidden="true">
      <rect x="2" y="2.5" width="16" height="4" rx="1.25" />
      <rect x="2" y="8" width="16" height="4" rx="1.25" fill="currentColor" />
      <rect x="2" y="13.5" width="16" height="4" rx="1.25" />
    </svg>
  `;
}
