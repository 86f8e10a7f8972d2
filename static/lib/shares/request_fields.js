// @ts-check
/// <reference lib="dom" />
import { byteUnits } from "../byte_units.js";
import { Choice } from "../choice.js";
import { Field } from "../fields.js";
import { t } from "../i18n.js";
import { html } from "../ui.js";
import { requestExpiries } from "./request_draft.js";
import { ExpiryField, PasswordFields } from "./share_fields.js";

/** @import { RequestDraft, RequestProblems } from "./request_draft.js" */

/**
 * @typedef {object} RequestFieldsProps
 * @property {RequestDraft} draft
 * @property {(changes: Partial<RequestDraft>) => void} change
 * @property {RequestProblems} problems
 */

/**
 * The fields of a link for uploads, new or not.
 * @param {RequestFieldsProps & { kept?: string, hasPassword?: boolean }} props `kept` says how long it lasts now
 */
export function RequestFields({ draft, change, problems, kept, hasPassword = false }) {
  return html`
    <${TextField} label=${t("shares.request_title")} hint=${t("shares.request_title_hint")} maxlength="120"
      value=${draft.title} autofocus=${true} onInput=${(/** @type {string} */ title) => change({ title })} />
    <${Field} label=${t("shares.request_message")} optional=${true} hint=${t("shares.request_message_hint")}
      control=${(/** @type {any} */ attributes) =>
        html`
          <textarea class="input" rows="3" ...${attributes} maxlength="2000" value=${draft.message}
            onInput=${(/** @type {any} */ event) => change({ message: event.target.value })}></textarea>
        `} />
    <${ExpiryField} draft=${draft} change=${change} problems=${problems} kept=${kept}
      expiries=${requestExpiries} />
    <div class="request-bounds">
      <${Field} label=${t("shares.request_files")} error=${problems.files}
        control=${(/** @type {any} */ attributes) =>
          html`
            <input class="input" ...${attributes} inputmode="numeric" autocomplete="off" value=${draft.files}
              onInput=${(/** @type {any} */ event) => change({ files: event.target.value.trim() })} />
          `} />
      <${SizeField} label=${t("shares.request_size")} error=${problems.size} value=${draft.size}
        unit=${draft.sizeUnit}
        onChange=${(/** @type {string} */ size, /** @type {string} */ sizeUnit) =>
          change({ size, sizeUnit })} />
      <${SizeField} label=${t("shares.request_file_size")} optional=${true} error=${problems.fileSize}
        value=${draft.fileSize} unit=${draft.fileUnit}
        onChange=${(/** @type {string} */ fileSize, /** @type {string} */ fileUnit) =>
          change({ fileSize, fileUnit })} />
    </div>
    <${Choice} legend=${t("shares.request_folders")} value=${draft.folders} options=${[
      ["keep", t("shares.request_folders_keep")],
      ["flat", t("shares.request_folders_flat")],
    ]} hint=${draft.folders === "keep" && t("shares.request_folders_hint")}
      onChange=${(/** @type {"keep" | "flat"} */ folders) => change({ folders })} />
    <${PasswordFields} draft=${draft} change=${change} problems=${problems} hasPassword=${hasPassword} />
    <${TextField} label=${t("shares.note")} optional=${true} hint=${t("shares.request_note_hint")}
      maxlength="500" value=${draft.note} onInput=${(/** @type {string} */ note) => change({ note })} />
  `;
}

/**
 * @param {{
 *   label: string, hint: string, maxlength: string, value: string, optional?: boolean, autofocus?: boolean,
 *   onInput: (text: string) => void
 * }} props
 */
function TextField({ label, hint, maxlength, value, optional = false, autofocus = false, onInput }) {
  return html`
    <${Field} label=${label} hint=${hint} optional=${optional} control=${(/** @type {any} */ attributes) =>
      html`
        <input class="input" ...${attributes} maxlength=${maxlength} autocomplete="off" value=${value}
          data-autofocus=${autofocus ? "" : undefined}
          onInput=${(/** @type {any} */ event) => onInput(event.target.value)} />
      `} />
  `;
}

/**
 * A size as a number and its unit.
 * @param {{
 *   label: string, error?: string, optional?: boolean, value: string, unit: string,
 *   onChange: (value: string, unit: string) => void
 * }} props
 */
function SizeField({ label, error, optional = false, value, unit, onChange }) {
  return html`
    <${Field} label=${label} error=${error} optional=${optional}
      control=${(/** @type {any} */ attributes) =>
        html`
          <div class="request-size">
            <input class="input" ...${attributes} inputmode="decimal" autocomplete="off" value=${value}
              onInput=${(/** @type {any} */ event) => onChange(event.target.value.trim(), unit)} />
            <select class="select" aria-label=${t("shares.request_unit", { field: label })} value=${unit}
              onChange=${(/** @type {any} */ event) => onChange(value, event.target.value)}>${byteUnits().map(
                ({ name }) => html`<option key=${name} value=${name}>${name}</option>`,
              )}</select>
          </div>
        `} />
  `;
}
