// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { CopyButton } from "../copy_button.js";
import { Field, RevealButton } from "../fields.js";
import { useElementId } from "../ids.js";
import { Button, html } from "../ui.js";
import { expiries, never, newPassword } from "./draft.js";

/** @import { Draft } from "./draft.js" */

/**
 * @typedef {object} FieldsProps
 * @property {Draft} draft
 * @property {(changes: Partial<Draft>) => void} change
 * @property {{ custom?: string, limit?: string, password?: string }} problems
 */

/**
 * The fields of a share, new or not.
 * @param {FieldsProps & { kept?: string, hasPassword?: boolean, folder: boolean }} props `kept` says how long it lasts now
 */
export function ShareFields({ draft, change, problems, kept, hasPassword = false, folder }) {
  return html`
    <${Expiry} draft=${draft} change=${change} problems=${problems} kept=${kept} />
    <${Password} draft=${draft} change=${change} problems=${problems} hasPassword=${hasPassword} />
    <${Field} label="Download limit" optional=${true} error=${problems.limit}
      hint=${folder
        ? "Every file counts as one, and so does the whole folder as a zip."
        : "Looking at the page of the link is not a download."}
      control=${(/** @type {any} */ attributes) =>
        html`
          <input class="input" ...${attributes} inputmode="numeric" autocomplete="off" placeholder="No limit"
            value=${draft.limit} onInput=${(/** @type {any} */ event) =>
              change({ limit: event.target.value.trim() })} />
        `} />
    <${Choice} legend=${folder ? "Its files" : "The file"} value=${draft.disposition} options=${[
      ["attachment", "Download"],
      ["inline", "Open in the browser"],
    ]} onChange=${(/** @type {"inline" | "attachment"} */ disposition) => change({ disposition })} />
    <${Field} label="Note" optional=${true} hint="Recipients do not see it."
      control=${(/** @type {any} */ attributes) =>
        html`
          <input class="input" ...${attributes} maxlength="500" autocomplete="off" value=${draft
            .note}
            onInput=${(/** @type {any} */ event) => change({ note: event.target.value })} />
        `} />
  `;
}

/** @param {FieldsProps & { kept?: string }} props */
function Expiry({ draft, change, problems, kept }) {
  const others = kept === never ? expiries.filter(([expiry]) => expiry !== "never") : expiries;
  const options = kept === undefined ? expiries : [["keep", kept], ...others];
  return html`
    <${Choice} legend="Expires" value=${draft
      .expiry} options=${options} autofocus=${true}
      onChange=${(/** @type {string} */ expiry) => change({ expiry })} />
    ${draft.expiry === "custom" && html`
      <${Field} label="Expires at" error=${problems.custom} control=${(/** @type {any} */ attributes) =>
        html`
          <input class="input" type="datetime-local" ...${attributes} value=${draft
            .custom} onInput=${(/** @type {any} */ event) => change({ custom: event.target.value })} />
        `} />
    `}
  `;
}

/**
 * A choice of a few, as chips.
 * @param {{
 *   legend: string, value: string, options: ReadonlyArray<readonly [string, string]>, autofocus?: boolean,
 *   onChange: (value: any) => void
 * }} props
 */
function Choice({ legend, value, options, autofocus = false, onChange }) {
  const name = useElementId();
  return html`
    <fieldset class="field">
      <legend class="legend">${legend}</legend>
      <div class="row choice">${options.map(([option, text]) =>
        html`
          <label key=${option}><input type="radio" name=${name} value=${option} checked=${option === value}
            data-autofocus=${autofocus && option === value ? "" : undefined}
            onChange=${() => onChange(option)} />${text}</label>
        `
      )}</div>
    </fieldset>
  `;
}

/** @param {FieldsProps & { hasPassword: boolean }} props */
function Password({ draft, change, problems, hasPassword }) {
  return html`
    ${hasPassword && html`
      <${Choice} legend="Password" value=${draft.passwordMode} options=${[
        ["keep", "Keep it"],
        ["set", "Change it"],
        ["none", "Remove it"],
      ]} onChange=${(/** @type {Draft["passwordMode"]} */ passwordMode) => change({ passwordMode })} />
    `}
    ${draft.passwordMode === "set" &&
      html`<${PasswordField} draft=${draft} change=${change} problems=${problems} hasPassword=${hasPassword} />`}
  `;
}

/** @param {FieldsProps & { hasPassword: boolean }} props */
function PasswordField({ draft, change, problems, hasPassword }) {
  const [shown, setShown] = useState(false);
  const generate = () => {
    change({ password: newPassword() });
    setShown(true);
  };
  const hint = hasPassword
    ? "Whoever has unlocked the link with the old one has to enter this one."
    : "Recipients are asked for it. Send it by another channel than the link.";
  return html`
    <${Field} label=${hasPassword ? "New password" : "Password"} optional=${!hasPassword}
      error=${problems.password} hint=${hint}
      control=${(/** @type {any} */ attributes) =>
        html`
          <div class="row sharing-line">
            <div class="input-group">
              <input class="input mono" type=${shown
                ? "text"
                : "password"} ...${attributes} autocomplete="new-password"
                autocapitalize="off" spellcheck=${false} maxlength="256" value=${draft
                  .password} onInput=${(/** @type {any} */ event) =>
                  change({ password: event.target.value })} />
              <${RevealButton} shown=${shown} onChange=${setShown} />
            </div>
            ${draft.password !== "" && html`<${CopyButton} text=${draft.password} label="Copy password" />`}
            <${Button} onClick=${generate}>Generate<//>
          </div>
        `} />
  `;
}
