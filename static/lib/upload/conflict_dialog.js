// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { KeyLabel } from "../browse/key_label.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { t } from "../i18n.js";
import { Button, Bytes, html, Time } from "../ui.js";
import { keyBeside } from "./conflict.js";
import { BucketUploads } from "./storage_api.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { ConflictChoice } from "./conflict.js" */
/** @import { StoredObject } from "./storage_api.js" */
/** @import { Upload } from "./upload.js" */

/** @typedef {{ choice: ConflictChoice, forAll: boolean }} ConflictAnswer */

/**
 * Asks what to do about a name that is taken. Dismissing it skips the file.
 * @param {Upload} upload
 * @param {number} others files of the batch that are still to come
 * @returns {Promise<ConflictAnswer>}
 */
export async function askAboutConflict(upload, others) {
  const answer = await openDialog(
    /** @param {DialogControls<ConflictAnswer>} controls */
    (controls) => html`<${ConflictForm} ...${controls} upload=${upload} others=${others} />`,
    { size: "small" },
  );
  return answer ?? { choice: "skip", forAll: false };
}

/** @param {DialogControls<ConflictAnswer> & { upload: Upload, others: number }} props */
function ConflictForm({ close, titleId, upload, others }) {
  const [forAll, setForAll] = useState(false);
  const [stored, setStored] = useState(/** @type {StoredObject | null} */ (null));
  const { batch, key, file } = upload;
  useEffect(() => {
    const abort = new AbortController();
    // The question can be answered without knowing it.
    new BucketUploads(batch.backend, batch.bucket).find(key, abort.signal).then(setStored, () => {});
    return () => abort.abort();
  }, []);
  const beside = keyBeside(upload.wantedKey, upload.copies + 1);
  const answer = (/** @type {ConflictChoice} */ choice) => close({ choice, forAll });
  const footer = html`
    <${Button} onClick=${() => answer("skip")}>${t("upload.skip")}<//>
    <${Button} onClick=${() => answer("keep_both")} data-autofocus="">${t("upload.keep_both")}<//>
    <${Button} kind="danger" onClick=${() => answer("replace")}>${t("upload.replace")}<//>
  `;
  return html`
    <${DialogFrame} title=${t("upload.taken_title")} titleId=${titleId} footer=${footer}>
      <div class="stack">
        <p class="break"><strong><${KeyLabel} name=${nameOf(key)} /></strong> ${t("upload.taken_body")}</p>
        <dl class="facts">
          <${Version} label=${t("upload.stored")} size=${stored?.size} at=${stored?.last_modified} />
          <${Version} label=${t("upload.new")} size=${upload.size}
            at=${file instanceof File ? file.lastModified : undefined} />
        </dl>
        <p class="break">${t("upload.kept_as")} <bdi dir="ltr">${nameOf(beside)}</bdi></p>
        ${others > 0 && html`
          <label class="check"><input type="checkbox" checked=${forAll}
            onChange=${(/** @type {any} */ event) => setForAll(event.target.checked)} />
            <span>${t("upload.apply_to_all", { n: others + 1 })}</span></label>
        `}
      </div>
      <//>
  `;
}

/** @param {string} key */
function nameOf(key) {
  return key.slice(key.lastIndexOf("/") + 1);
}

/**
 * Size and date of what is stored or is to be.
 * @param {{ label: string, size?: number, at?: string | number }} props
 */
function Version({ label, size, at }) {
  return html`
    <dt>${label}</dt>
    <dd>${size === undefined
      ? html`<span class="faint">…</span>`
      : html`<${Bytes} value=${size} />`}${at !== undefined &&
      html`, <${Time} at=${at} now=${Date.now()} />`}</dd>
  `;
}
