// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { t } from "./i18n.js";
import { Icon } from "./icons.js";
import { useElementId } from "./ids.js";

/**
 * A form field: label, control, hint and error, tied together for assistive technology. `control` gets the attributes
 * it must carry.
 * @param {{
 *   label: string, hint?: any, error?: string, optional?: boolean,
 *   control: (attributes: { id: string, "aria-describedby"?: string, "aria-invalid"?: "true" }) => any
 * }} props
 */
export function Field({ label, hint, error, optional = false, control }) {
  const id = useElementId();
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined;
  return html`
    <div class="field">
      <label for=${id}>${label}${optional &&
        html`<span class="optional">${` ${t("common.optional")}`}</span>`}</label>
      ${control({ id, "aria-describedby": described, "aria-invalid": error ? "true" : undefined })}
      ${error && html`<p class="field-error" id="${id}-error">${error}</p>`}
      ${hint && html`<p class="field-hint" id="${id}-hint">${hint}</p>`}
    </div>
  `;
}

/**
 * A password input with a button that shows what was typed, and a hint while caps lock is on.
 * @param {{ attributes: Record<string, any>, [attribute: string]: any }} props
 */
export function PasswordInput({ attributes, ...rest }) {
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const noteCapsLock = (/** @type {KeyboardEvent} */ event) =>
    setCapsLock(event.getModifierState?.("CapsLock") ?? false);
  return html`
    <div class="input-group">
      <input class="input"
        type=${shown ? "text" : "password"} autocapitalize="off" spellcheck=${false} ...${attributes}
        ...${rest} onKeyDown=${noteCapsLock} onKeyUp=${noteCapsLock} onBlur=${() => setCapsLock(false)} />
      <${RevealButton} shown=${shown} onChange=${setShown} />
    </div>
    <p class="field-hint caps-hint" role="status">${capsLock &&
      html`<${Icon} name="caps" /> ${t("frame.caps_lock")}`}</p>
  `;
}

/**
 * The button in a password input that shows what was typed, or hides it again.
 * @param {{ shown: boolean, onChange: (shown: boolean) => void }} props
 */
export function RevealButton({ shown, onChange }) {
  return html`
    <button type="button" class="icon-button needs-script" aria-label=${shown
      ? t("frame.hide_password")
      : t("frame.show_password")}
      aria-pressed=${shown ? "true" : "false"} onClick=${() => onChange(!shown)}>
      <${Icon} name=${shown ? "eye-off" : "eye"} />
    </button>
  `;
}
