// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { bytesOf, unitOf } from "../byte_units.js";
import { html } from "../html.js";
import { t } from "../i18n.js";
import { readDecimal } from "../typed_numbers.js";

/** @import { TypedNumber } from "../typed_numbers.js" */

/**
 * A size as a number with its unit. It is a field of text: what a browser takes for no number in one of numbers, it tells the
 * page nothing of.
 * @param {{
 *   label: string, bytes: TypedNumber, units: readonly { name: string, bytes: number }[], placeholder: string,
 *   attributes: Record<string, any>, onChange: (bytes: TypedNumber) => void
 * }} props
 */
export function SizeInput({ label, bytes, units, placeholder, attributes, onChange }) {
  const [chosen, setChosen] = useState(unitOf(bytes ?? 0, units));
  const [typed, setTyped] = useState("");
  const hasSize = typeof bytes === "number";
  // What is being typed stays as it is, such as `1.` or `10 GB`, as long as it means the same.
  const isTyped = typed !== "" && orNone(toBytes(typed, chosen)) === orNone(bytes);
  const unit = isTyped || !hasSize || isExact(bytes, chosen) ? chosen : unitOf(bytes, units);
  const shown = isTyped ? typed : hasSize ? String(inUnit(bytes, unit)) : "";
  const type = (/** @type {any} */ event) => {
    const text = event.target.value;
    setTyped(text);
    setChosen(unit);
    onChange(toBytes(text, unit));
  };
  const choose = (/** @type {any} */ event) => {
    setChosen(event.target.value);
    if (hasSize) onChange(Math.round(bytes / bytesOf(unit) * bytesOf(event.target.value)));
  };
  return html`
    <span class="limit-input">
      <input class="input number" inputmode="decimal" autocomplete="off" placeholder=${placeholder} value=${shown}
        onInput=${type} ...${attributes} />
      <select class="select" aria-label=${t("settings.unit_of", { name: label })} value=${unit}
        onChange=${choose}>${units.map(({ name }) =>
          html`<option key=${name} value=${name}>${name}</option>`
        )}</select>
    </span>
  `;
}

/**
 * @param {string} text
 * @param {string} unit
 */
function toBytes(text, unit) {
  const amount = readDecimal(text);
  return typeof amount === "number" ? Math.round(amount * bytesOf(unit)) : amount;
}

/**
 * An empty field means the same as 0.
 * @param {TypedNumber} bytes
 */
function orNone(bytes) {
  return bytes === undefined ? 0 : bytes;
}

/**
 * @param {number} bytes
 * @param {string} unit
 */
function inUnit(bytes, unit) {
  return Number((bytes / bytesOf(unit)).toFixed(3));
}

/**
 * @param {number} bytes
 * @param {string} unit
 */
function isExact(bytes, unit) {
  return Math.round(inUnit(bytes, unit) * bytesOf(unit)) === bytes;
}
