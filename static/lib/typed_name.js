// @ts-check
/// <reference lib="dom" />
import { rich } from "./i18n.js";
import { html } from "./ui.js";

/**
 * Where a name must be typed before what it names is deleted or the like.
 * @param {{
 *   id: string, name: string, value: string, onChange: (typed: string) => void, disabled?: boolean, autofocus?: boolean,
 *   input?: import("preact").Ref<HTMLInputElement>
 * }} props `autofocus`: whether the dialog that it is in begins here
 */
export function TypedName({ id, name, value, onChange, disabled = false, autofocus = false, input }) {
  return html`
    <div class="field">
      <label for=${id}>${rich("frame.type_to_confirm", {
        text: html`<code class="select-all">${name}</code>`,
      })}</label>
      <input id=${id} ref=${input} class="input mono" autocomplete="off" autocapitalize="off"
        spellcheck=${false} data-autofocus=${autofocus ? "" : undefined} value=${value} disabled=${disabled}
        onInput=${(/** @type {any} */ event) => onChange(event.target.value)} />
    </div>
  `;
}
