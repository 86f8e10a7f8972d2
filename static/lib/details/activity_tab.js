// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { actionWords } from "../admin/audit_actions.js";
import { request, withQuery } from "../api.js";
import { t } from "../i18n.js";
import { Badge, EmptyState, html, Notice, Skeleton, Time } from "../ui.js";

/** @import { TabProps } from "./details.js" */

/** Rows that are shown; the audit log has the rest. */
const maxRows = 50;

/**
 * What the audit log says of an object.
 * @param {TabProps} props
 */
export function ActivityTab({ browser, objectKey, now }) {
  const [events, setEvents] = useState(/** @type {any[] | null} */ (null));
  const [error, setError] = useState("");
  const filter = { backend: browser.backend.id, bucket: browser.bucket, key: objectKey };
  useEffect(() => {
    const abort = new AbortController();
    const query = { ...filter, limit: maxRows };
    request("GET", "/api/admin/audit", { query, signal: abort.signal }).then(
      (page) => setEvents(page.events),
      (failure) => {
        if (!abort.signal.aborted) setError(failure.message);
      },
    );
    return () => abort.abort();
  }, []);
  if (error) return html`<${Notice} kind="bad" role="alert">${error}<//>`;
  if (events === null) return html`<${Skeleton} rows=${4} />`;
  const more = html`<a href=${withQuery("/admin/audit", filter)}>${t("details.in_audit_log")}</a>`;
  if (events.length === 0) {
    return html`<${EmptyState} icon="audit" title=${t("details.no_activity")} action=${more}>${
      t("details.activity_hint")
    }<//>`;
  }
  return html`
    <ol class="activity">${events.map((event) =>
      html`
        <li key=${event.id}>
          <p><span>${actionWords(event.action)}</span>${event.status !== "ok" && html`
            <${Badge} kind="bad">${event.status}<//>
          `}</p>
          <p class="muted">${event.username ?? (event.user_id || t("details.nobody"))} · <${Time} at=${event
            .timestamp} now=${now} /></p>
        </li>
      `
    )}</ol>
    <p class="field-hint">${t("details.activity_hint")}</p>
    <p>${more}</p>
  `;
}
