// @ts-check
/// <reference lib="dom" />
import { useRef } from "preact/hooks";
import { html } from "../html.js";

/** Fewest and most lines that are in view at once. */
const minRows = 12;
const maxRows = 30;

/**
 * A field for JSON with line numbers.
 * @param {{
 *   text: string, label: string, disabled: boolean, wrong: ReadonlySet<number>, onChange: (text: string) => void
 * }} props `wrong`: the lines with mistakes
 */
export function JsonBox({ text, label, disabled, wrong, onChange }) {
  const gutter = useRef(/** @type {HTMLElement | null} */ (null));
  const lines = text.replace(/\n$/, "").split("\n").length;
  return html`
    <div class="json-box">
      <div class="json-gutter" aria-hidden="true" ref=${gutter}>${Array.from(
        { length: lines },
        (_, index) =>
          html`<span key=${index} class=${wrong.has(index + 1) ? "json-wrong" : ""}>${index + 1}</span>`,
      )}</div>
      <textarea class="json-text" aria-label=${label} spellcheck=${false} autocapitalize="off"
        autocomplete="off" wrap="off" rows=${Math.min(
          maxRows,
          Math.max(minRows, lines + 1),
        )} readonly=${disabled}
        aria-invalid=${wrong.size > 0 ? "true" : undefined} value=${text}
        onInput=${(/** @type {any} */ event) => onChange(event.target.value)}
        onScroll=${(/** @type {any} */ event) => {
          if (gutter.current) gutter.current.scrollTop = event.target.scrollTop;
        }}></textarea>
    </div>
  `;
}
