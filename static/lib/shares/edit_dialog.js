// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { request } from "../api.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { formatDateTime } from "../format.js";
import { Button, html, Notice } from "../ui.js";
import { apiFields, changesOf, draftOf, never, problemsOf } from "./draft.js";
import { failureText, nameOf, shareChanges, shareUrl } from "./share.js";
import { ShareFields } from "./share_fields.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { Draft } from "./draft.js" */
/** @import { Share } from "./share.js" */

/**
 * Changes how something is shared. Resolves with the share as it is then, `undefined` when nothing was changed.
 * @param {Share} share
 * @returns {Promise<Share | undefined>}
 */
export function openEditDialog(share) {
  return openDialog(
    /** @param {DialogControls<Share>} controls */
    (controls) => html`<${EditForm} ...${controls} share=${share} />`,
    { size: "medium" },
  );
}

/** @param {DialogControls<Share> & { share: Share }} props */
function EditForm({ close, block, titleId, share }) {
  const [draft, setDraft] = useState(() => draftOf(share));
  const [problems, setProblems] = useState({});
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (busy) return;
    const now = Date.now();
    const found = problemsOf(draft, now, share.has_password);
    setProblems(found);
    setError("");
    if (Object.keys(found).length > 0) return;
    const changes = changesOf(share, apiFields(draft, now));
    if (Object.keys(changes).length === 0) return close();
    setBusy(true);
    block(true);
    try {
      const changed = await request("PATCH", shareUrl(share), { json: changes });
      shareChanges.value++;
      close(changed);
    } catch (failure) {
      setError(failureText(failure));
      setBusy(false);
      block(false);
    }
  };
  const kept = share.expires_at === null ? never : `On ${formatDateTime(Date.parse(share.expires_at))}`;
  const footer = html`
    <${Button} onClick=${() => close()}>Cancel<//>
    <${Button} kind="primary" type="submit" busy=${busy}>Save<//>
  `;
  return html`
    <form onSubmit=${submit} novalidate>
      <${DialogFrame} title=${`Share of ${
        nameOf(share)
      }`} titleId=${titleId} footer=${footer} onClose=${close}>
        <div class="form">
          <${ShareFields} draft=${draft} problems=${problems} folder=${share.kind === "folder"} kept=${kept}
            hasPassword=${share.has_password}
            change=${(/** @type {Partial<Draft>} */ changes) => setDraft({ ...draft, ...changes })} />
          ${error !== "" && html`<${Notice} kind="bad" role="alert">${error}<//>`}
        </div>
        <//>
        </form>
  `;
}
