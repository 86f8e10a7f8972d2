// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { actionWords } from "../admin/audit_actions.js";
import { request, withQuery } from "../api.js";
import { rich, t } from "../i18n.js";
import { Badge, EmptyState, html, Notice, Skeleton, Time } from "../ui.js";

/** @import { TabProps } from "./details.js" */

/** Rows that are shown; the audit log has the rest. */
const maxRows = 50;

/**
 * The rows of an object: those that have its key, and those that made it of another one, by a copy or a move, which have the
 * key of that and this one in their details.
 *
 * @param {{ backend: string, bucket: string, key: string }} place
 * @param {AbortSignal} signal
 * @returns {Promise<any[]>} newest first
 */
async function eventsOf({ backend, bucket, key }, signal) {
  const find = async (/** @type {Record<string, string>} */ filter) => {
    const { events } = await request("GET", "/api/admin/audit", {
      query: { ...filter, limit: maxRows },
      signal,
    });
    return events;
  };
  const [own, copied, transferred] = await Promise.all([
    find({ backend, bucket, key }),
    find({ backend, action: "object.copy", dst_key: key }),
    find({ action: "object.transfer", dst_key: key }),
  ]);
  const arrived = [...copied, ...transferred].filter(({ detail }) =>
    detail.dst_backend === backend && detail.dst_bucket === bucket
  );
  const all = new Map([...own, ...arrived].map((event) => [event.id, event]));
  return [...all.values()].sort((a, b) => b.id - a.id).slice(0, maxRows);
}

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
    eventsOf(filter, abort.signal).then(
      setEvents,
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
          <p><span>${actionWords(event.action)} ${event.key !== objectKey &&
            html`<span class="muted">${
              rich("details.activity_from", { key: html`<code class="break">${event.key}</code>` })
            }</span>`}</span>${event.status !== "ok" && html`
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
