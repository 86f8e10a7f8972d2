// @ts-check
import { html } from "./html.js";

/**
 * A choice of a few, as buttons side by side.
 * @template {string} T
 * @param {{ label: string, value: T, options: ReadonlyArray<readonly [T, import("preact").ComponentChild]>, onChange: (value: T) => void }} props
 */
export function Segmented({ label, value, options, onChange }) {
  return html`<div class="segmented" role="group" aria-label=${label}>${
    options.map(([option, text]) =>
      html`
        <button type="button" key=${option} aria-pressed=${option === value ? "true" : "false"}
          onClick=${() => onChange(option)}>${text}</button>
      `
    )
  }</div>`;
}
