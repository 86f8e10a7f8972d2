// @ts-check
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n.js";
import { html } from "../ui.js";
import { backendOffers } from "../upload/backend_offers.js";
import { StorageClassField } from "../upload/storage_class_field.js";

/** @import { BackendOffers } from "../upload/backend_offers.js" */
/** @import { CopyAttributes } from "./copy_attributes.js" */

/**
 * Metadata, tags and storage class of copies, folded.
 * @param {{
 *   backend: string, crosses: boolean, value: CopyAttributes, onChange: (value: CopyAttributes) => void
 * }} props `backend`: the target's id; `crosses`: whether that is another one than the source's
 */
export function CopyOptions({ backend, crosses, value, onChange }) {
  const [open, setOpen] = useState(false);
  const offers = useOffers(backend, open);
  const hasTags = offers?.tagging ?? true;
  const change = (/** @type {Partial<CopyAttributes>} */ changed) => onChange({ ...value, ...changed });
  const toggle = (/** @type {any} */ { currentTarget: details }) => {
    setOpen(details.open);
    if (details.open) details.scrollIntoView({ block: "nearest" });
  };
  const check = (/** @type {any} */ event) => change({ [event.target.name]: event.target.checked });
  return html`
    <details class="more-options" onToggle=${toggle}>
      <summary>${t("browse.copy_options")}</summary>
      <div class="stack">
        <label class="check">
          <input type="checkbox" name="keep_metadata" checked=${value.keep_metadata} onChange=${check} />
          <span>${t("browse.keep_metadata")}<small>${t("browse.keep_metadata_hint")}</small></span>
        </label>
        <label class="check">
          <input type="checkbox" name="keep_tags" checked=${value.keep_tags && hasTags} disabled=${!hasTags}
            onChange=${check} />
          <span>${t("browse.keep_tags")}${!hasTags && html`<small>${t("upload.tags_none")}</small>`}</span>
        </label>
        <${StorageClassField} known=${offers?.storageClasses ?? []} keeps=${!crosses}
          value=${value.storage_class ?? ""} onChange=${(/** @type {string} */ name) =>
            change({ storage_class: name || undefined })} />
      </div>
    </details>
  `;
}

/**
 * What the target's backend offers; `null` until that is known, and needed.
 * @param {string} backend
 * @param {boolean} needed
 */
function useOffers(backend, needed) {
  const [offers, setOffers] = useState(/** @type {BackendOffers | null} */ (null));
  useEffect(() => {
    setOffers(null);
    if (!needed) return;
    const abort = new AbortController();
    // Without the list, a class can be named all the same.
    backendOffers(backend, abort.signal).then(setOffers, () => {});
    return () => abort.abort();
  }, [backend, needed]);
  return offers;
}
