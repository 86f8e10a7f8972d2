// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { request } from "../api.js";
import { KeyLabel } from "../browse/key_label.js";
import { CopyButton } from "../copy_button.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { formatDateTime } from "../format.js";
import { plural } from "../i18n.js";
import { toast } from "../toast.js";
import { Button, html, Notice } from "../ui.js";
import { shareCommand } from "./command.js";
import { apiFields, newDraft, problemsOf } from "./draft.js";
import { CopiedText, LinkView } from "./link_view.js";
import { failureText, nameOf, shareChanges } from "./share.js";
import { ShareFields } from "./share_fields.js";

/** @import { Browser } from "../browse/browser.js" */
/** @import { Entry } from "../browse/entries.js" */
/** @import { DialogControls } from "../dialog.js" */
/** @import { Draft } from "./draft.js" */
/** @import { Share } from "./share.js" */

/** @typedef {{ backend: string, bucket: string, key: string }} Target `backend` is its id; a folder's key ends in `/` */

/**
 * Asks how an object or a folder is to be shared, makes the share and shows its link. Says so when there are several.
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 */
export async function askShare({ backend, bucket }, entries) {
  if (entries.length > 1) toast("Choose one object or one folder to share.", { kind: "info" });
  if (entries.length !== 1) return;
  const target = { backend: backend.id, bucket, key: entries[0].key };
  await openDialog(
    /** @param {DialogControls<void>} controls */
    (controls) => html`<${ShareDialog} ...${controls} target=${target} />`,
    { size: "medium" },
  );
}

/** @param {DialogControls<void> & { target: Target }} props */
function ShareDialog({ target, ...controls }) {
  const [made, setMade] = useState(/** @type {{ share: Share, password: string } | null} */ (null));
  return made === null
    ? html`<${ShareForm} ...${controls} target=${target} onMade=${setMade} />`
    : html`<${ShareResult} ...${controls} ...${made} />`;
}

/** @param {DialogControls<void> & { target: Target, onMade: (made: { share: Share, password: string }) => void }} props */
function ShareForm({ close, block, titleId, target, onMade }) {
  const [draft, setDraft] = useState(newDraft);
  const [problems, setProblems] = useState({});
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const folder = target.key.endsWith("/");
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (busy) return;
    const now = Date.now();
    const found = problemsOf(draft, now);
    setProblems(found);
    setError("");
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    block(true);
    try {
      const { backend: backend_id, bucket, key } = target;
      const json = { backend_id, bucket, key, ...apiFields(draft, now) };
      const share = await request("POST", "/api/shares", { json });
      shareChanges.value++;
      onMade({ share, password: draft.password });
    } catch (failure) {
      setError(failureText(failure));
      setBusy(false);
    }
    block(false);
  };
  const footer = html`
    <${Button} onClick=${() => close()}>Cancel<//>
    <${Button} kind="primary" type="submit" busy=${busy}>Create link<//>
  `;
  return html`
    <form onSubmit=${submit} novalidate>
      <${DialogFrame} title=${folder
        ? "Share this folder"
        : "Share this object"} titleId=${titleId} footer=${footer} onClose=${close}>
        <div class="form">
          <div>
            <p><${KeyLabel} name=${nameOf(target)} /></p>
            <p class="muted">Whoever has the link reaches ${folder
              ? "everything in this folder, also what is added later"
              : "this object"}.</p>
          </div>
          <${ShareFields} draft=${draft} problems=${problems} folder=${folder}
            change=${(/** @type {Partial<Draft>} */ changes) => setDraft({ ...draft, ...changes })} />
          ${error !== "" && html`<${Notice} kind="bad" role="alert">${error}<//>`}
        </div>
        <//>
        </form>
  `;
}

/** @param {DialogControls<void> & { share: Share, password: string }} props */
function ShareResult({ close, titleId, share, password }) {
  const command = shareCommand(share, location.origin);
  const limits = [
    share.expires_at === null
      ? "It never expires"
      : `It expires on ${formatDateTime(Date.parse(share.expires_at))}`,
    ...share.max_downloads === null
      ? []
      : [`after ${plural(share.max_downloads, "download", "downloads")} at the latest`],
  ].join(", ");
  return html`
    <${DialogFrame} title="The link is ready" titleId=${titleId} onClose=${close}
      footer=${html`<${Button} onClick=${() => close()}>Done<//>`}>
      <div class="stack">
        <${LinkView} share=${share} />
        ${password !== "" && html`
          <${CopiedText} label="Password" text=${password} copyLabel="Copy password"
            hint="It is shown only now. Send it by another channel than the link." />
        `}
        <p class="muted">${limits}. You can change and revoke it under <a href="/shares">Shares</a>.</p>
        <details>
          <summary>Show command</summary>
          <div class="row sharing-line">
            <textarea class="input mono" readonly rows="5" aria-label="Command that makes the same share"
              value=${command}></textarea>
            <${CopyButton} text=${command} label="Copy command" />
          </div>
        </details>
      </div>
      <//>
  `;
}
