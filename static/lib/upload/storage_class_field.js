// @ts-check
import { useState } from "preact/hooks";
import { Field } from "../fields.js";
import { t } from "../i18n.js";
import { html } from "../ui.js";

/** What is chosen to type a name that is not in the list; no class is called so. */
const other = "?";

/**
 * The storage class of what is stored: one that the backend is known to have, or another one by its name. Empty is the
 * backend's usual one or, with `keeps`, that which it has now.
 * @param {{ known: readonly string[], keeps?: boolean, value: string, onChange: (name: string) => void }} props `known`
 *   begins with the usual one
 */
export function StorageClassField({ known, keeps = false, value, onChange }) {
  const [typing, setTyping] = useState(false);
  const [usual = "", ...others] = known;
  const names = keeps ? known : others;
  const isOnly = known.length === 1;
  const choose = (/** @type {any} */ event) => {
    const { value: chosen } = event.target;
    setTyping(chosen === other);
    onChange(chosen === other ? "" : chosen);
  };
  return html`
    <div class="stack">
      <${Field} label=${t("upload.class")} hint=${isOnly ? t("upload.class_only") : ""}
        control=${(/** @type {any} */ attributes) =>
          html`
            <select class="select" ...${attributes} disabled=${isOnly} value=${typing ? other : value}
              onChange=${choose}>
              <option value="">${keeps
                ? t("upload.class_keep")
                : usual === ""
                ? t("upload.class_default")
                : t("upload.class_default_name", { name: usual })}</option>
              ${names.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
              <option value=${other}>${t("upload.class_other")}</option>
            </select>
          `} />
      ${typing && html`
        <${Field} label=${t("upload.class_name")} control=${(/** @type {any} */ attributes) =>
          html`
            <input class="input mono" ...${attributes} required pattern="[A-Za-z0-9_.\\-]{1,64}" autocomplete="off"
              autocapitalize="off" spellcheck=${false} placeholder="STANDARD_IA" value=${value}
              onInput=${(/** @type {any} */ event) => onChange(event.target.value.trim())} />
          `} />
      `}
    </div>
  `;
}
