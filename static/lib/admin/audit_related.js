// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../api.js";
import { t } from "../i18n.js";
import { html, Skeleton } from "../ui.js";
import { actionWords } from "./audit_actions.js";
import { AuditTime } from "./audit_time.js";

/** @typedef {import("../../islands/audit.js").AuditEvent} AuditEvent */

/** Related rows that are listed; the link below them leads to all. */
const shownRows = 10;

/**
 * The minute before a moment and the minute after it, as the filter has them.
 * @param {number} at milliseconds since the epoch
 */
export function minuteAround(at) {
  const second = (/** @type {number} */ moment) => `${new Date(moment).toISOString().slice(0, 19)}Z`;
  return { from: second(at - 60_000), to: second(at + 61_000) };
}

/**
 * What else the same user did within a minute.
 * @param {{ event: AuditEvent, isUtc: boolean }} props
 */
export function RelatedRows({ event, isUtc }) {
  const [rows, setRows] = useState(/** @type {AuditEvent[] | null} */ (null));
  useEffect(() => {
    const abort = new AbortController();
    const query = { ...minuteAround(Date.parse(event.timestamp)), user: event.user_id, limit: shownRows + 1 };
    request("GET", "/api/admin/audit", { query, priority: "visible", signal: abort.signal }).then(
      ({ events }) =>
        setRows(events.filter((/** @type {AuditEvent} */ { id }) => id !== event.id).slice(0, shownRows)),
      // What is related is only a help: without it the row still says what it says.
      () => setRows([]),
    );
    return () => abort.abort();
  }, []);
  if (rows === null) return html`<${Skeleton} rows=${2} />`;
  if (rows.length === 0) return html`<p class="muted">${t("audit.nothing_related")}</p>`;
  return html`
    <div>
      <h3>${t("audit.related")}</h3>
      <ul class="audit-related">${rows.map((row) =>
        html`
          <li key=${row.id}>
            <${AuditTime} at=${row.timestamp} isUtc=${isUtc} />
            <span>${actionWords(row.action)}</span>
            <span class="muted truncate">${[row.backend, row.bucket, row.key].filter(Boolean).join(
              " / ",
            )}</span>
            <span class=${row.status === "ok" ? "faint" : "text-bad"}>${row.status}</span>
          </li>
        `
      )}</ul>
    </div>
  `;
}
