// @ts-check
/// <reference lib="dom" />
import { html } from "../html.js";
import { t } from "../i18n.js";
import { Icon } from "../icons.js";
import { locateJson, placeAt, placeOfPath } from "./json_locator.js";

/** @import { JsonFault as Fault, LocatedJson } from "./json_locator.js" */
/** @import { Failure, Problem, SectionEditing } from "./section.js" */
/** @typedef {import("../i18n.js").MessageKey} MessageKey */

/** Something that is wrong, and where. @typedef {{ line: number, column: number, offset: number, message: string }} LocatedFault */

/**
 * What is wrong with a text that is no JSON.
 * @type {Readonly<Record<Fault, MessageKey>>}
 */
const faults = {
  end: "settings.json_end",
  value: "settings.json_value",
  name: "settings.json_name",
  colon: "settings.json_colon",
  comma_object: "settings.json_comma_object",
  comma_list: "settings.json_comma_list",
  trailing_comma: "settings.json_trailing_comma",
  quotes: "settings.json_quotes",
  escape: "settings.json_escape",
  control: "settings.json_control",
  number: "settings.json_number",
  after: "settings.json_after",
  twice: "settings.json_twice",
  deep: "settings.json_deep",
};

/** Most faults that are listed at once. */
const maxListed = 8;

/**
 * Reads a document. An empty text is no document, where a section can do without one.
 * @param {string} text
 * @returns {LocatedJson}
 */
export function readDocument(text) {
  return text.trim() === "" ? { value: null, error: null, offsets: new Map([["", 0]]) } : locateJson(text);
}

/**
 * What is wrong with a document, where, from the top.
 * @param {string} text
 * @param {LocatedJson} json
 * @param {readonly Problem[]} problems
 * @returns {LocatedFault[]}
 */
export function locateFaults(text, { error, offsets }, problems) {
  if (error !== null) return [{ ...placeAt(text, error.offset), message: t(faults[error.fault]) }];
  return problems.map(({ path, message }) => ({ ...placeOfPath(text, offsets, path), message }))
    .sort((one, other) => one.offset - other.offset);
}

/**
 * The path of what the server refuses: the field that it names; else the first value whose name its words hold, since
 * backends say no more than that; `null` where neither is there.
 * @param {Failure} refusal
 * @param {LocatedJson} json
 * @param {SectionEditing<any>["refusals"]} [words]
 */
export function placeOfRefusal({ detail, message, said: reply = message }, { offsets }, words = []) {
  const field = detail?.field;
  if (typeof field === "string" && offsets.has(field)) return field;
  const said = `${detail?.upstream_code ?? ""} ${detail?.reason ?? ""} ${reply}`;
  for (const [pattern, name] of words) {
    const path = pattern.test(said) && [...offsets.keys()].find((path) => path.split(".").at(-1) === name);
    if (path) return path;
  }
  return null;
}

/**
 * What is wrong, by line and column; each leads to its place.
 * @param {{ found: readonly LocatedFault[], onGo: (offset: number) => void }} props
 */
export function JsonFaults({ found, onGo }) {
  return html`
    <ul class="json-faults" role="status">${found.slice(0, maxListed).map(({
      line,
      column,
      offset,
      message,
    }) =>
      html`
        <li key=${`${offset} ${message}`}>
          <button type="button" class="json-place"
            onClick=${() => onGo(offset)}><${Icon} name="alert" />${t("settings.json_place", {
              line,
              column,
            })}</button>
          <span>${message}</span>
        </li>
      `
    )}</ul>
  `;
}
