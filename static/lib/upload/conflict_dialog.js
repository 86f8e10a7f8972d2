// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { KeyLabel } from "../browse/key_label.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { formatNumber } from "../format.js";
import { Button, Bytes, html, Time } from "../ui.js";
import { keyBeside } from "./conflict.js";

/** @import { ObjectInfo } from "../browse/details.js" */
/** @import { DialogControls } from "../dialog.js" */
/** @import { ConflictChoice } from "./conflict.js" */
/** @import { Upload } from "./queue.js" */
/** @import { Uploads } from "./uploads.js" */

/** @typedef {{ choice: ConflictChoice, forAll: boolean }} ConflictAnswer */

/**
 * Asks what to do about a name that is taken. Dismissing it skips the file.
 * @param {Uploads} uploads
 * @param {Upload} upload
 * @param {number} others files of the batch that are still to come
 * @returns {Promise<ConflictAnswer>}
 */
export async function askAboutConflict(uploads, upload, others) {
  const answer = await openDialog(
    /** @param {DialogControls<ConflictAnswer>} controls */
    (controls) =>
      html`<${ConflictForm} ...${controls} uploads=${uploads} upload=${upload} others=${others} />`,
    { size: "small" },
  );
  return answer ?? { choice: "skip", forAll: false };
}

/** @param {DialogControls<ConflictAnswer> & { uploads: Uploads, upload: Upload, others: number }} props */
function ConflictForm({ close, titleId, uploads, upload, others }) {
  const [forAll, setForAll] = useState(false);
  const [stored, setStored] = useState(/** @type {ObjectInfo | null} */ (null));
  useEffect(() => {
    const abort = new AbortController();
    // The question can be answered without knowing it.
    uploads.describe(upload.key, abort.signal).then(setStored, () => {});
    return () => abort.abort();
  }, []);
  const { key, file } = upload;
  const name = key.slice(key.lastIndexOf("/") + 1);
  const beside = keyBeside(upload.wantedKey, upload.copies + 1);
  const answer = (/** @type {ConflictChoice} */ choice) => close({ choice, forAll });
  const footer = html`
    <${Button} onClick=${() => answer("skip")}>Skip<//>
    <${Button} onClick=${() => answer("keep_both")} data-autofocus="">Keep both<//>
    <${Button} kind="danger" onClick=${() => answer("replace")}>Replace<//>
  `;
  return html`
    <${DialogFrame} title="This name is taken" titleId=${titleId} footer=${footer}>
      <div class="stack">
          <p class="break"><strong><${KeyLabel} name=${name} /></strong> is already in this folder.</p>
          <dl class="facts">
            <${Version} label="Stored" size=${stored?.size} at=${stored?.last_modified} />
            <${Version} label="New" size=${file.size} at=${file instanceof File
              ? file.lastModified
              : undefined} />
          </dl>
          <p class="break">Keeping both stores the new one as
            ${" "}<bdi dir="ltr">${beside.slice(beside.lastIndexOf("/") + 1)}</bdi>.</p>
          ${others > 0 && html`<label class="check"><input type="checkbox" checked=${forAll}
        onChange=${(/** @type {any} */ event) => setForAll(event.target.checked)} />
        <span>Apply to ${others === 1 ? "both" : `all ${formatNumber(others + 1)}`}</span></label>`}
        </div>
      <//>
  `;
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
