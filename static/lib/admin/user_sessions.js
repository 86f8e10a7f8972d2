// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../api.js";
import { DialogFrame } from "../dialog.js";
import { endSession } from "../end_session.js";
import { t } from "../i18n.js";
import { SessionRow } from "../session_row.js";
import { Button, html, Notice, Skeleton } from "../ui.js";
import { describeAgent } from "../user_agent.js";

/** @import { Session } from "../session_row.js" */

/**
 * The open sessions of a user, which can be ended one by one or all at once.
 * @param {import("../dialog.js").DialogControls<void> & {
 *   user: import("../../islands/users.js").User, path: string, now: number
 * }} props
 */
export function UserSessions({ close, titleId, user, path, now }) {
  const [sessions, setSessions] = useState(/** @type {Session[] | null} */ (null));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const load = async () => setSessions((await request("GET", `${path}/sessions`)).sessions);
  const run = async (/** @type {() => Promise<unknown>} */ act) => {
    setBusy(true);
    setError("");
    try {
      await act();
      await load();
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
    setBusy(false);
    // The button that was pressed may be gone with its session.
    if (document.activeElement === document.body) document.getElementById(`${titleId}-done`)?.focus();
  };
  useEffect(() => void run(async () => {}), []);
  const end = (/** @type {Session} */ { id }) => run(() => endSession(`${path}/sessions`, id));
  const others = (sessions ?? []).filter(({ current }) => !current).length;
  const endAll = others < (sessions ?? []).length ? t("users.end_all_others") : t("users.end_all");
  const footer = html`
    ${others > 0 && html`
      <${Button} kind="danger" busy=${busy}
        onClick=${() => run(() => request("DELETE", `${path}/sessions`))}>${endAll}</${Button}>
    `}
    <button type="button" class="button button-primary" id="${titleId}-done" data-autofocus=""
      onClick=${() => close()}>${t("users.done")}</button>
  `;
  return html`
    <${DialogFrame} title=${t("users.sessions_of", {
      name: user.username,
    })} titleId=${titleId} onClose=${close} footer=${footer}>
      <div class="stack">
        <div role="alert">${error && html`<${Notice} kind="bad">${error}</${Notice}>`}</div>
        <p class="muted" role="status">${sessions === null
          ? t("common.loading")
          : sessions.length === 0
          ? t("users.no_session")
          : t("users.session_count", { n: sessions.length })}</p>
        ${sessions === null
          ? error === "" && html`<${Skeleton} rows=${3} />`
          : html`<ul class="session-list">${
            sessions.map((session) =>
              html`<${SessionRow} key=${session.id} session=${session} now=${now} action=${
                !session.current &&
                html`
                  <${Button} small=${true} disabled=${busy} onClick=${() => end(session)}
                    aria-label=${t("users.end_session", {
                      program: describeAgent(session.user_agent),
                      ip: session.ip,
                    })}>${t("users.end")}</${Button}>
                `
              } />`
            )
          }</ul>`}
      </div>
      <//>
  `;
}
