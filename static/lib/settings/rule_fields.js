// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { Field } from "../fields.js";
import { t } from "../i18n.js";
import { readWhole } from "../typed_numbers.js";
import { html, Icon, IconButton } from "../ui.js";

/** @import { TypedNumber } from "../typed_numbers.js" */

/**
 * A list of texts, one a line.
 * @param {{
 *   label: string, hint?: any, lines: readonly string[], error?: string, placeholder?: string,
 *   onChange: (lines: string[]) => void
 * }} props
 */
export function LinesField({ label, hint, lines, error, placeholder, onChange }) {
  const [typed, setTyped] = useState(lines.join("\n"));
  useEffect(() => {
    if (linesOf(typed).join("\n") !== lines.join("\n")) setTyped(lines.join("\n"));
  }, [lines.join("\n")]);
  const change = (/** @type {any} */ event) => {
    setTyped(event.target.value);
    onChange(linesOf(event.target.value));
  };
  return html`
    <${Field} label=${label} hint=${hint} error=${error} control=${(/** @type {any} */ attributes) =>
      html`
        <textarea class="input lines-input mono" rows=${Math.max(2, Math.min(6, lines.length + 1))}
          spellcheck=${false} autocapitalize="off" placeholder=${placeholder} value=${typed} onInput=${change}
          ...${attributes}></textarea>
      `} />
  `;
}

/** @param {string} text */
function linesOf(text) {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

/**
 * A whole number that may be left out.
 * @param {{
 *   label: string, unit: string, value: TypedNumber, error?: string, hint?: any,
 *   onChange: (value: TypedNumber) => void
 * }} props
 */
export function NumberField({ label, unit, value, error, hint, onChange }) {
  const [typed, setTyped] = useState("");
  // What is being typed stays as it is, such as `1 h`, as long as it means the same.
  const shown = readWhole(typed) === value ? typed : value ?? "";
  const type = (/** @type {any} */ event) => {
    setTyped(event.target.value);
    onChange(readWhole(event.target.value));
  };
  return html`
    <${Field} label=${label} error=${error} hint=${hint} control=${(/** @type {any} */ attributes) =>
      html`<span class="unit-input"><input class="input number" inputmode="numeric" autocomplete="off"
        value=${shown} onInput=${type} ...${attributes} />
        <span aria-hidden="true">${unit}</span></span>`} />
  `;
}

/**
 * One rule of a list, with the buttons that all rules have.
 * @param {{
 *   title: string, error?: string, disabled: boolean, onRemove: () => void, onCopy?: () => void, state?: any, children?: any
 * }} props `state` stands beside the title
 */
export function RuleCard({ title, error, disabled, onRemove, onCopy, state, children }) {
  return html`
    <section class="card rule-card" aria-label=${title}>
      <header class="rule-head">
        <h3 class="truncate">${title}</h3>
        ${state}
        ${!disabled && html`
          ${onCopy && html`
            <${IconButton} icon="copy" label=${t("settings.rule_copy", { name: title })}
              onClick=${onCopy} />
          `}
          <${IconButton} icon="trash" label=${t("settings.rule_remove", {
            name: title,
          })} onClick=${onRemove} />
        `}
      </header>
      <div class="rule-body">
        ${error && html`<p class="field-error" role="alert"><${Icon} name="alert" /> ${error}</p>`}
        ${children}
      </div>
    </section>
  `;
}

/**
 * What is wrong at a path or below it: lists are one field.
 * @param {(path: string) => string | undefined} problemAt
 * @param {string} path
 * @param {number} length
 */
export function listProblem(problemAt, path, length) {
  for (let index = 0; index < length; index++) {
    const problem = problemAt(`${path}.${index}`);
    if (problem !== undefined) return problem;
  }
  return problemAt(path);
}

/**
 * A copy of a list with one entry replaced.
 * @template T
 * @param {readonly T[]} list
 * @param {number} place
 * @param {T} entry
 */
export function replaced(list, place, entry) {
  return list.map((old, index) => index === place ? entry : old);
}
