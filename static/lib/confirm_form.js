// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { DialogFrame } from "./dialog.js";
import { t } from "./i18n.js";
import { TypedName } from "./typed_name.js";
import { Button, html, Notice } from "./ui.js";
import { useSubmission } from "./use_submission.js";

/** @import { DialogControls, Question } from "./dialog.js" */

/**
 * A question before something is done, and what must be typed for it; closes with whether it was done.
 * @param {DialogControls<boolean> & { question: Question }} props
 */
export function ConfirmForm({ close, block, titleId, question }) {
  const { title, body, action, danger = false, typed = "", run, tell } = question;
  const [text, setText] = useState("");
  const ready = text === typed;
  const { busy, error, submit } = useSubmission({
    block,
    check: () => ready ? {} : { text: true },
    send: async () => {
      await run?.();
      close(true);
    },
    tell,
  });
  const buttons = html`
    <${Button} disabled=${busy} data-autofocus=${typed === "" ? "" : undefined}
      onClick=${() => close(false)}>${t("common.cancel")}<//>
    <${Button} kind=${danger ? "danger" : "primary"} type="submit" disabled=${!ready}
      busy=${busy}>${action}<//>
  `;
  return html`
    <form onSubmit=${submit}>
      <${DialogFrame} title=${title} titleId=${titleId} footer=${buttons}>
        <div class="stack">
          <div id="${titleId}-text">${body}</div>
          ${typed !== "" && html`
            <${TypedName} id="${titleId}-typed" name=${typed} value=${text} autofocus=${true}
              onChange=${setText} />
          `}
          ${error && html`<${Notice} kind="bad" role="alert">${error}<//>`}
        </div>
        <//>
        </form>
  `;
}
