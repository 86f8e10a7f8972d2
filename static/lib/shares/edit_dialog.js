// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { request } from "../api.js";
import { ShowCommand } from "../commands.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { formatDateTime } from "../format.js";
import { t } from "../i18n.js";
import { loadStyles } from "../styles.js";
import { Button, html, Notice } from "../ui.js";
import { useSubmission } from "../use_submission.js";
import { editCommand } from "./command.js";
import { apiFields, changesOf, draftOf, draftWithin, problemsOf } from "./draft.js";
import { useLongest } from "./limits.js";
import { requestDraftOf, requestFields, requestProblemsOf } from "./request_draft.js";
import { RequestFields } from "./request_fields.js";
import { failureText, shareChanges, shareName, shareUrl } from "./share.js";
import { ShareFields } from "./share_fields.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { Share } from "./share.js" */

/**
 * Changes how something is shared. Resolves with the share as it is then, `undefined` when nothing was changed.
 * @param {Share} share
 * @returns {Promise<Share | undefined>}
 */
export async function openEditDialog(share) {
  await loadStyles("lazy.css");
  const isUpload = share.upload !== undefined;
  return await openDialog(
    /** @param {DialogControls<Share>} controls */
    (controls) =>
      html`
        <${EditForm} ...${controls} share=${share} form=${isUpload ? ofUploads : ofContent} />
      `,
    { size: "medium" },
  );
}

/**
 * How the form of a kind of link is filled, checked, drawn and read.
 * @typedef {object} Form
 * @property {"share" | "upload"} kind
 * @property {(share: Share) => any} draftOf
 * @property {(draft: any, now: number, passwordNeeded: boolean) => Record<string, string>} problemsOf
 * @property {(draft: any, now: number) => Record<string, string | number | boolean | null>} fieldsOf
 * @property {(props: any) => any} Fields
 */

/** @type {Form} */
const ofContent = { kind: "share", draftOf, problemsOf, fieldsOf: apiFields, Fields: ShareFields };

/** @type {Form} */
const ofUploads = {
  kind: "upload",
  draftOf: requestDraftOf,
  problemsOf: requestProblemsOf,
  fieldsOf: requestFields,
  Fields: RequestFields,
};

/** @param {DialogControls<Share> & { share: Share, form: Form }} props */
function EditForm({ close, block, titleId, share, form }) {
  const longest = useLongest(form.kind);
  const [chosen, setDraft] = useState(() => form.draftOf(share));
  // It counts from when the link was made.
  const draft = draftWithin(chosen, longest - (Date.now() - Date.parse(share.created_at)));
  const { busy, problems, error, submit } = useSubmission({
    block,
    check: () => form.problemsOf(draft, Date.now(), share.has_password),
    send: async () => {
      const changes = changesOf(share, form.fieldsOf(draft, Date.now()));
      if (Object.keys(changes).length === 0) return close();
      const changed = await request("PATCH", shareUrl(share), { json: changes });
      shareChanges.value++;
      close(changed);
    },
    tell: failureText,
  });
  const kept = share.expires_at === null
    ? t("shares.expiry_never")
    : t("shares.expiry_on", { time: formatDateTime(Date.parse(share.expires_at)) });
  const footer = html`
    <${Button} onClick=${() => close()}>${t("common.cancel")}<//>
    <${Button} kind="primary" type="submit" busy=${busy}>${t("common.save")}<//>
  `;
  return html`
    <form onSubmit=${submit} novalidate>
      <${DialogFrame} title=${t("shares.edit_title", {
        name: shareName(share),
      })} titleId=${titleId} footer=${footer} onClose=${close}>
        <div class="form">
          <${form.Fields} draft=${draft} problems=${problems} folder=${share.kind !== "object"} kept=${kept}
            hasPassword=${share.has_password}
            change=${(/** @type {Record<string, any>} */ changes) => setDraft({ ...draft, ...changes })} />
          <${ShowCommand} lines=${[editCommand(share, readable(draft, form))]} />
          ${error !== "" && html`<${Notice} kind="bad" role="alert">${error}<//>`}
        </div>
        <//>
        </form>
  `;
}

/**
 * What a draft says for the API while it is typed: a moment that is not one yet leaves the expiry as it is.
 * @param {any} draft
 * @param {Form} form
 */
function readable(draft, { fieldsOf }) {
  const isTyped = draft.expiry === "custom" && Number.isNaN(Date.parse(draft.custom));
  return fieldsOf(isTyped ? { ...draft, expiry: "keep" } : draft, Date.now());
}
