// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { KeyLabel } from "../browse/key_label.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { formatBytes, formatNumber } from "../format.js";
import { Button, html } from "../ui.js";
import { keyBeside } from "./conflict.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { ConflictChoice } from "./conflict.js" */
/** @import { Upload } from "./queue.js" */

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
  const name = upload.key.slice(upload.key.lastIndexOf("/") + 1);
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
          <p class="break"><strong><${KeyLabel} name=${name} /></strong> is already in this folder. The new file has
            ${" "}${formatBytes(upload.file.size)}. Keeping both stores it as
            ${" "}<bdi dir="ltr">${beside.slice(beside.lastIndexOf("/") + 1)}</bdi>.</p>
          ${others > 0 && html`<label class="check"><input type="checkbox" checked=${forAll}
        onChange=${(/** @type {any} */ event) => setForAll(event.target.checked)} />
        <span>Do the same for the other ${
            others > 1 ? `${formatNumber(others)} files` : "file"
          }</span></label>`}
        </div>
      <//>
  `;
}
