// @ts-check
import { Field } from "../fields.js";
import { sizeStep, sizeUnits } from "../format.js";
import { t } from "../i18n.js";
import { readDecimal } from "../typed_numbers.js";
import { html } from "../ui.js";

/** The units that are offered, as powers of a step: mebibytes to tebibytes, or megabytes to terabytes. */
const powers = [2, 3, 4];

/** A size as it is typed; its unit as a power. @typedef {{ amount: string, power: number }} TypedSize */

/** @type {TypedSize} */
export const noSize = { amount: "", power: 3 };

/**
 * The bytes of a size that was typed: 0 for none, NaN for what is no size.
 *
 * @param {TypedSize} size
 */
export function bytesOf({ amount, power }) {
  const number = readDecimal(amount);
  if (number === undefined) return 0;
  return Math.round((number ?? NaN) * sizeStep() ** power);
}

/**
 * A size with its unit.
 *
 * @param {{ label: string, hint?: string, error?: string, value: TypedSize, onChange: (size: TypedSize) => void }} props
 */
export function SizeField({ label, hint, error, value, onChange }) {
  const control = (/** @type {any} */ attributes) =>
    html`
      <div class="size-field">
        <input class="input" inputmode="decimal" autocomplete="off" ...${attributes} value=${value.amount}
          onInput=${(/** @type {any} */ event) => onChange({ ...value, amount: event.target.value })} />
        <select class="select" aria-label=${t("buckets.unit_of", { field: label })} value=${value.power}
          onChange=${(/** @type {any} */ event) => onChange({ ...value, power: Number(event.target.value) })}>
          ${powers.map((power) => html`<option key=${power} value=${power}>${sizeUnits()[power]}</option>`)}
        </select>
      </div>
    `;
  return html`<${Field} label=${label} hint=${hint} error=${error} control=${control} />`;
}
