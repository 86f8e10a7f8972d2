// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { t } from "../i18n.js";
import { html } from "../html.js";
import { bytesOf, unitOf } from "./byte_units.js";

/**
 * A size as a number with its unit.
 * @param {{
 *   label: string, bytes: number | undefined, units: readonly { name: string, bytes: number }[], placeholder: string,
 *   attributes: Record<string, any>, onChange: (bytes: number | undefined) => void
 * }} props
 */
export function SizeInput({ label, bytes, units, placeholder, attributes, onChange }) {
  const [chosen, setChosen] = useState(unitOf(bytes ?? 0, units));
  const [typed, setTyped] = useState("");
  // What is being typed stays as it is, such as `1.`, as long as it means the same.
  const isTyped = typed !== "" && toBytes(typed, chosen) === (bytes ?? 0);
  const unit = isTyped || bytes === undefined || isExact(bytes, chosen) ? chosen : unitOf(bytes, units);
  const shown = isTyped ? typed : bytes === undefined ? "" : String(inUnit(bytes, unit));
  const type = (/** @type {any} */ event) => {
    const text = event.target.value;
    setTyped(text);
    setChosen(unit);
    onChange(text === "" ? undefined : toBytes(text, unit));
  };
  const choose = (/** @type {any} */ event) => {
    setChosen(event.target.value);
    if (bytes !== undefined) onChange(Math.round(bytes / bytesOf(unit) * bytesOf(event.target.value)));
  };
  return html`
    <span class="limit-input">
      <input class="input number" type="number" min="0" step="any" inputmode="decimal" placeholder=${placeholder}
        value=${shown} onInput=${type} ...${attributes} />
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
  return Math.round(Number(text) * bytesOf(unit));
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
