// @ts-check
import { rich, t } from "./i18n.js";
import { Badge, html, Time } from "./ui.js";
import { describeAgent } from "./user_agent.js";

/**
 * A session as the API lists it.
 * @typedef {{ id: string, current: boolean, ip: string, user_agent: string, created_at: string, last_seen_at: string }} Session
 */

/**
 * One session in a list: which program, from where, since when.
 * @param {{ session: Session, now: number, action: import("preact").ComponentChildren }} props
 */
export function SessionRow({ session, now, action }) {
  return html`
    <li>
      <div>
        <p class="row"><strong class="break" title=${session.user_agent}>${describeAgent(
          session.user_agent,
        )}</strong>
          ${session.current && html`<${Badge} kind="ok">${t("account.this_browser")}</${Badge}>`}</p>
        <p class="muted"><span class="mono">${session.ip}</span> · ${rich("account.last_used", {
          time: html`<${Time} at=${session.last_seen_at} now=${now} />`,
        })} · ${rich("account.signed_in_at", {
          time: html`<${Time} at=${session.created_at} now=${now} />`,
        })}</p>
      </div>
      ${action}
    </li>
  `;
}
