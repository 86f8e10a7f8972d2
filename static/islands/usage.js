// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { TrafficCard } from "../lib/admin/traffic.js";
import { Figure } from "../lib/admin/usage_format.js";
import { BusiestBuckets, Failures, LargestBuckets, StorageCard } from "../lib/admin/usage_tables.js";
import { request } from "../lib/api.js";
import { formatDuration, formatNumber } from "../lib/format.js";
import { rich, t } from "../lib/i18n.js";
import { PageHead } from "../lib/page_head.js";
import { pollWhileVisible } from "../lib/poll.js";
import { Bytes, html, Time } from "../lib/ui.js";

/** @typedef {import("../lib/admin/usage_format.js").Dashboard} Dashboard */

const pollInterval = 30_000;

/** @type {ReadonlyArray<readonly [Dashboard["window"]["name"], import("../lib/i18n.js").MessageKey]>} */
const windows = [["hour", "traffic.last_hour"], ["day", "traffic.last_day"]];

/** @param {{ dashboard: Dashboard, now: number }} props */
export function Island({ dashboard: first, now: firstNow }) {
  const [dashboard, setDashboard] = useState(first);
  const { window: { name, step_seconds: stepSeconds, counted_since: since }, traffic } = dashboard;
  const now = Math.max(firstNow, Date.parse(dashboard.generated_at));
  useEffect(() =>
    pollWhileVisible(async (options) => {
      setDashboard(await request("GET", "/api/admin/dashboard", { ...options, query: { window: name } }));
    }, pollInterval), []);
  const shown = {
    stepSeconds,
    words: name === "hour" ? t("traffic.in_last_hour") : t("traffic.in_last_day"),
  };
  return html`
    <${PageHead} title=${t("traffic.title")} actions=${html`<${WindowLinks} name=${name} />`}>
      ${rich("traffic.intro", { time: html`<${Time} at=${since} now=${now} />` })}
    <//>
    <div class="usage">
      <${Now} dashboard=${dashboard} />
      <${TrafficCard} id="usage-dashboard" title=${t("traffic.dashboard")} traffic=${traffic
        .dashboard} ...${shown} />
      ${traffic.s3 &&
        html`<${TrafficCard} id="usage-s3" title=${
          t("traffic.s3_endpoint")
        } traffic=${traffic.s3} ...${shown} />`}
      <div class="usage-columns">
        <div class="stack">
          <${StorageCard} storage=${dashboard.storage} now=${now} />
          <${BusiestBuckets} buckets=${dashboard.top_buckets.by_requests} />
        </div>
        <${LargestBuckets} buckets=${dashboard.top_buckets.by_size} now=${now} />
      </div>
      <${Failures} failures=${dashboard.failures} />
    </div>
  `;
}

/** @param {{ name: string }} props */
function WindowLinks({ name }) {
  return html`
    <nav class="row choice" aria-label=${t("traffic.time_shown")}>${windows.map(([window, words]) =>
      html`
        <a key=${window} href=${window === "hour" ? "/admin/usage" : `/admin/usage?window=${window}`}
          aria-current=${window === name ? "true" : undefined}>${t(words)}</a>
      `
    )}</nav>
  `;
}

/**
 * How things stand at this moment.
 * @param {{ dashboard: Dashboard }} props
 */
function Now({ dashboard }) {
  const { program, jobs, audit, s3_credentials: credentials } = dashboard;
  const waiting = jobs.queued > 0 &&
    html`<span class="unit"> ${t("traffic.waiting", { n: jobs.queued })}</span>`;
  const lost = audit.rows_lost > 0 &&
    html`<span class="text-bad"> ${t("traffic.lost", { n: audit.rows_lost })}</span>`;
  return html`
    <section class="card usage-now" aria-label=${t("traffic.at_present")}>
      <dl class="figures usage-figures">
        <${Figure} label=${t("traffic.sessions")}>${formatNumber(dashboard.sessions_active)}<//>
        ${credentials !== undefined &&
          html`<${Figure} label=${t("traffic.credentials")}>${formatNumber(credentials)}<//>`}
        <${Figure} label=${t("traffic.jobs_running")}>${formatNumber(
          jobs.running + jobs.stopping,
        )}${waiting}<//>
        <${Figure} label=${t("traffic.audit_queue")}>${formatNumber(audit.queue_depth)}${lost}<//>
        <${Figure} label=${t("traffic.database")}><${Bytes} value=${dashboard.database_bytes} /><//>
        <${Figure} label=${t("traffic.up_for")}>${formatDuration(program.uptime_seconds)}<//>
        <${Figure} label=${t("traffic.version")}>${program.version}<//>
      </dl>
    </section>
  `;
}
