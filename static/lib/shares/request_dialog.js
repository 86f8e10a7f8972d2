// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { request } from "../api.js";
import { KeyLabel } from "../browse/key_label.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { t } from "../i18n.js";
import { loadStyles } from "../styles.js";
import { Button, html, Notice } from "../ui.js";
import { useSubmission } from "../use_submission.js";
import { draftWithin } from "./draft.js";
import { useLongest } from "./limits.js";
import { newRequestDraft, requestFields, requestProblemsOf } from "./request_draft.js";
import { RequestFields } from "./request_fields.js";
import { failureText, nameOf, shareChanges } from "./share.js";
import { ShareResult } from "./share_result.js";

/** @import { Browser } from "../browse/browser.js" */
/** @import { DialogControls } from "../dialog.js" */
/** @import { RequestDraft } from "./request_draft.js" */
/** @import { Share } from "./share.js" */

/**
 * Asks what others may send into a folder, makes the link by which they do, and shows it.
 * @param {Browser} browser
 * @param {string} prefix of the folder; empty for the bucket
 */
export async function askForFiles(browser, prefix) {
  await loadStyles("lazy.css");
  await openDialog(
    /** @param {DialogControls<void>} controls */
    (controls) => html`<${RequestDialog} ...${controls} browser=${browser} prefix=${prefix} />`,
    { size: "medium" },
  );
}

/** @param {DialogControls<void> & { browser: Browser, prefix: string }} props */
function RequestDialog({ browser, prefix, ...controls }) {
  const [made, setMade] = useState(/** @type {{ share: Share, password: string } | null} */ (null));
  return made === null
    ? html`
      <${RequestForm} ...${controls} browser=${browser} prefix=${prefix} onMade=${setMade} />
    `
    : html`<${ShareResult} ...${controls} ...${made} />`;
}

/**
 * @param {DialogControls<void> & {
 *   browser: Browser, prefix: string, onMade: (made: { share: Share, password: string }) => void
 * }} props
 */
function RequestForm({ close, block, titleId, browser, prefix, onMade }) {
  const longest = useLongest("upload");
  const [chosen, setDraft] = useState(() =>
    newRequestDraft(t("shares.request_asks", { name: browser.userName }))
  );
  const draft = draftWithin(chosen, longest);
  const { busy, problems, error, submit } = useSubmission({
    block,
    check: () => requestProblemsOf(draft, Date.now()),
    send: async () => {
      const place = { backend_id: browser.backend.id, bucket: browser.bucket, kind: "upload", key: prefix };
      const json = { ...place, ...requestFields(draft, Date.now()) };
      const share = await request("POST", "/api/shares", { json });
      shareChanges.value++;
      onMade({ share, password: draft.password });
    },
    tell: failureText,
  });
  const footer = html`
    <${Button} onClick=${() => close()}>${t("common.cancel")}<//>
    <${Button} kind="primary" type="submit" busy=${busy}>${t("shares.create_link")}<//>
  `;
  return html`
    <form onSubmit=${submit} novalidate>
      <${DialogFrame} title=${t(
        "shares.request_dialog",
      )} titleId=${titleId} footer=${footer} onClose=${close}>
        <div class="form">
          <div>
            <p><${KeyLabel} name=${prefix === "" ? browser.bucket : nameOf({ key: prefix })} /></p>
            <p class="muted">${t("shares.request_reach")}</p>
          </div>
          <${RequestFields} draft=${draft} problems=${problems}
            change=${(/** @type {Partial<RequestDraft>} */ changes) => setDraft({ ...draft, ...changes })} />
          ${error !== "" && html`<${Notice} kind="bad" role="alert">${error}<//>`}
        </div>
        <//>
        </form>
  `;
}
