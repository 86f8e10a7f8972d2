// @ts-check
import { useState } from "preact/hooks";
import { Field } from "../fields.js";
import { t } from "../i18n.js";
import { html } from "../ui.js";
import { ContentTypeField } from "./content_type_field.js";
import { StorageClassField } from "./storage_class_field.js";
import { parseTags } from "./tag_lines.js";

/** @import { BackendOffers } from "./backend_offers.js" */

/**
 * How files are to be stored, as it is typed.
 * @typedef {object} StoreChoice
 * @property {string} storageClass empty for the backend's usual one
 * @property {string | null} contentType of all files; `null`: each by its name
 * @property {string} tagText
 */

/** What is chosen unless the user says otherwise. @type {StoreChoice} */
const usual = { storageClass: "", contentType: null, tagText: "" };

/** The choice of how files are stored, and what to call when something of it changes. */
export function useStoreChoice() {
  const [choice, setChoice] = useState(usual);
  const change = (/** @type {Partial<StoreChoice>} */ changed) =>
    setChoice((before) => ({ ...before, ...changed }));
  return /** @type {const} */ ([choice, change]);
}

/**
 * Storage class, content type and tags of what is uploaded.
 * @param {{
 *   choice: StoreChoice, onChange: (changed: Partial<StoreChoice>) => void, offers: BackendOffers | null, open: boolean
 * }} props `offers` is `null` until it is known, `open` unfolds the fields
 */
export function StoreFields({ choice, onChange, offers, open }) {
  const { storageClass, contentType, tagText } = choice;
  const hasTags = offers?.tagging ?? true;
  return html`
    <details class="more-options" open=${open}>
      <summary>${t("upload.options")}</summary>
      <div class="stack">
        <div class="field-row">
          <${StorageClassField} known=${offers?.storageClasses ?? []} value=${storageClass}
            onChange=${(/** @type {string} */ name) => onChange({ storageClass: name })} />
          <${ContentTypeField} value=${contentType}
            onChange=${(/** @type {string | null} */ type) => onChange({ contentType: type })} />
        </div>
        <${Field} label=${t("upload.tags")} hint=${hasTags ? t("upload.tags_hint") : t("upload.tags_none")}
          error=${parseTags(tagText).error} optional=${true} control=${(/** @type {any} */ attributes) =>
            html`
              <textarea class="input mono" rows="2" ...${attributes} disabled=${!hasTags} spellcheck=${false}
                placeholder="project=apollo" value=${tagText} onInput=${(/** @type {any} */ event) =>
                  onChange({ tagText: event.target.value })}></textarea>
            `} />
      </div>
    </details>
  `;
}
