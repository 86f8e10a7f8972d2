// @ts-check
/// <reference lib="dom" />
import { request } from "./api.js";
import { confirm } from "./dialog.js";
import { endSession } from "./end_session.js";
import { signOut } from "./frame.js";
import { t } from "./i18n.js";
import { SessionRow } from "./session_row.js";
import { toast, toastError } from "./toast.js";
import { Button, html } from "./ui.js";
import { describeAgent } from "./user_agent.js";

/** @import { Session } from "./session_row.js" */

const path = "/api/me/sessions";

/**
 * One's own sessions, which can be ended one by one, or all but this one at once.
 * @param {{ sessions: Session[], setSessions: (change: (all: Session[]) => Session[]) => void, now: number }} props
 */
export function OwnSessions({ sessions, setSessions, now }) {
  const others = sessions.filter(({ current }) => !current);
  /**
   * @param {{ title: string, text: string, action: string, done: string, run: () => Promise<unknown> }} question
   * @param {(session: Session) => boolean} stays
   */
  const end = async ({ title, text, action, done, run }, stays) => {
    if (!await confirm({ title, body: html`<p>${text}</p>`, action, danger: true })) return;
    try {
      await run();
      setSessions((all) => all.filter(stays));
      toast(done);
    } catch (error) {
      toastError(t("account.session_not_ended"), error);
    }
  };
  const endOne = (/** @type {Session} */ { id, user_agent: agent, ip }) =>
    end({
      title: t("account.end_title"),
      text: t("account.end_text", { agent: describeAgent(agent), ip }),
      action: t("account.end_session"),
      done: t("account.session_ended"),
      run: () => endSession(path, id),
    }, (session) => session.id !== id);
  const endOthers = () =>
    end({
      title: t("account.end_others_title", { n: others.length }),
      text: t("account.end_others_text"),
      action: t("account.end_others"),
      done: t("account.others_ended"),
      run: () => request("DELETE", path),
    }, ({ current }) => current);
  return html`
    <ul class="session-list">${sessions.map((session) =>
      html`
        <${SessionRow} key=${session.id} session=${session} now=${now} action=${session.current
          ? html`<${Button} small=${true} onClick=${signOut}>${t("account.sign_out")}</${Button}>`
          : html`
            <${Button} small=${true} onClick=${() => endOne(session)}
              aria-label=${t("account.end_session_of", {
                agent: describeAgent(session.user_agent),
                ip: session.ip,
              })}>${t("account.end")}</${Button}>
          `} />
      `
    )}</ul>
    ${others.length > 1 && html`
      <div class="form-foot needs-script">
        <${Button} onClick=${endOthers}>${t("account.end_others")}</${Button}>
      </div>
    `}
  `;
}
