// @ts-check
import { contentTypes } from "../details/content_types.js";
import { Field } from "../fields.js";
import { t } from "../i18n.js";
import { useElementId } from "../ids.js";
import { html } from "../ui.js";

/**
 * The rule by which files get their content type: each by its name, or one for all.
 * @param {{ value: string | null, onChange: (type: string | null) => void }} props `null`: by their names
 */
export function ContentTypeField({ value, onChange }) {
  const list = useElementId();
  const isOne = value !== null;
  return html`
    <div class="stack">
      <${Field} label=${t("upload.content_type")} control=${(/** @type {any} */ attributes) =>
        html`
          <select class="select" ...${attributes} value=${isOne ? "one" : "name"}
            onChange=${(/** @type {any} */ event) => onChange(event.target.value === "one" ? "" : null)}>
            <option value="name">${t("upload.type_by_name")}</option>
            <option value="one">${t("upload.type_for_all")}</option>
          </select>
        `} />
      ${isOne && html`
        <${Field} label=${t("upload.type_name")} control=${(/** @type {any} */ attributes) =>
          html`
            <input class="input mono" ...${attributes} required autocomplete="off" spellcheck=${false} list=${list}
              pattern="[^\\s\\/;]+\\/[^\\s\\/]+.*" placeholder="text/plain; charset=utf-8" value=${value}
              onInput=${(/** @type {any} */ event) => onChange(event.target.value)} />
          `} />
        <datalist id=${list}>${contentTypes.map((type) =>
          html`<option key=${type} value=${type}></option>`
        )}</datalist>
      `}
    </div>
  `;
}
