// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { Choice } from "../choice.js";
import { CopyButton } from "../copy_button.js";
import { Field, RevealButton } from "../fields.js";
import { t } from "../i18n.js";
import { Button, html } from "../ui.js";
import { expiries, expiriesWithin, newPassword } from "./draft.js";
import { PasswordStrength } from "./password_strength.js";

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
    <${ExpiryField} draft=${draft} change=${change} problems=${problems} kept=${kept}
      expiries=${expiries} />
    <${PasswordFields} draft=${draft} change=${change} problems=${problems} hasPassword=${hasPassword} />
    <${Field} label=${t("shares.limit")} optional=${true} error=${problems.limit}
      hint=${folder ? t("shares.limit_hint_folder") : t("shares.limit_hint")}
      control=${(/** @type {any} */ attributes) =>
        html`
          <input class="input" ...${attributes} inputmode="numeric" autocomplete="off" placeholder=${t(
            "shares.no_limit",
          )}
            value=${draft.limit} onInput=${(/** @type {any} */ event) =>
              change({ limit: event.target.value.trim() })} />
        `} />
    <${Choice} legend=${folder ? t("shares.files") : t("shares.file")} value=${draft.disposition} options=${[
      ["attachment", t("common.download")],
      ["inline", t("shares.inline")],
    ]} onChange=${(/** @type {"inline" | "attachment"} */ disposition) => change({ disposition })} />
    <${Field} label=${t("shares.note")} optional=${true} hint=${t("shares.note_hint")}
      control=${(/** @type {any} */ attributes) =>
        html`
          <input class="input" ...${attributes} maxlength="500" autocomplete="off" value=${draft
            .note}
            onInput=${(/** @type {any} */ event) => change({ note: event.target.value })} />
        `} />
  `;
}

/** What the fields of any link hold. @typedef {Pick<Draft, "expiry" | "custom" | "passwordMode" | "password" | "longest">} CommonDraft */

/**
 * @typedef {object} CommonProps
 * @property {CommonDraft} draft
 * @property {(changes: Partial<CommonDraft>) => void} change
 * @property {{ custom?: string, password?: string }} problems
 */

/**
 * How long a link lasts.
 * @param {CommonProps & { kept?: string, expiries: typeof expiries }} props
 */
export function ExpiryField({ draft, change, problems, kept, expiries }) {
  const words = expiriesWithin(expiries, draft.longest).map((
    [expiry, key],
  ) => /** @type {const} */ ([expiry, t(key)]));
  const others = words.filter(([expiry, text]) => expiry !== "never" || text !== kept);
  const options = kept === undefined ? words : [["keep", kept], ...others];
  return html`
    <${Choice} legend=${t("common.expires")} value=${draft
      .expiry} options=${options} autofocus=${true}
      onChange=${(/** @type {string} */ expiry) => change({ expiry })} />
    ${draft.expiry === "custom" && html`
      <${Field} label=${t("shares.expires_at")} error=${problems.custom} control=${(
        /** @type {any} */ attributes,
      ) =>
        html`
          <input class="input" type="datetime-local" ...${attributes} value=${draft
            .custom} onInput=${(/** @type {any} */ event) => change({ custom: event.target.value })} />
        `} />
    `}
  `;
}

/**
 * The password of a link, or what becomes of the one that it has.
 * @param {CommonProps & { hasPassword: boolean }} props
 */
export function PasswordFields({ draft, change, problems, hasPassword }) {
  return html`
    ${hasPassword && html`
      <${Choice} legend=${t("shares.password")} value=${draft.passwordMode} options=${[
        ["keep", t("shares.password_keep")],
        ["set", t("shares.password_change")],
        ["none", t("shares.password_remove")],
      ]} onChange=${(/** @type {Draft["passwordMode"]} */ passwordMode) => change({ passwordMode })} />
    `}
    ${draft.passwordMode === "set" &&
      html`<${PasswordField} draft=${draft} change=${change} problems=${problems} hasPassword=${hasPassword} />`}
  `;
}

/** @param {CommonProps & { hasPassword: boolean }} props */
function PasswordField({ draft, change, problems, hasPassword }) {
  const [shown, setShown] = useState(false);
  const generate = () => {
    change({ password: newPassword() });
    setShown(true);
  };
  const hint = hasPassword ? t("shares.new_password_hint") : t("shares.password_hint");
  return html`
    <${Field} label=${hasPassword ? t("shares.new_password") : t("shares.password")} optional=${!hasPassword}
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
            ${draft.password !== "" &&
              html`<${CopyButton} text=${draft.password} label=${t("shares.copy_password")} />`}
            <${Button} onClick=${generate}>${t("shares.generate")}<//>
          </div>
        `} />
    <${PasswordStrength} password=${draft.password} />
  `;
}
