// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { TrafficCard } from "../lib/admin/traffic.js";
import { Figure } from "../lib/admin/usage_format.js";
import { BusiestBuckets, Failures, LargestBuckets, StorageCard } from "../lib/admin/usage_tables.js";
import { pollWhileVisible, request } from "../lib/api.js";
import { formatDuration, formatNumber } from "../lib/format.js";
import { PageHead } from "../lib/page_head.js";
import { Bytes, html, Time } from "../lib/ui.js";

/** @typedef {import("../lib/admin/usage_format.js").Dashboard} Dashboard */

const pollInterval = 15_000;

/** @type {ReadonlyArray<readonly [Dashboard["window"]["name"], string]>} */
const windows = [["hour", "Last hour"], ["day", "Last 24 hours"]];

/** @param {{ dashboard: Dashboard, now: number }} props */
export function Island({ dashboard: first, now: firstNow }) {
  const [dashboard, setDashboard] = useState(first);
  const { window: { name, step_seconds: stepSeconds, counted_since: since }, traffic } = dashboard;
  const now = Math.max(firstNow, Date.parse(dashboard.generated_at));
  useEffect(() =>
    pollWhileVisible(async () => {
      setDashboard(
        await request("GET", "/api/admin/dashboard", {
          query: { window: name },
          background: true,
          priority: "prefetch",
        }),
      );
    }, pollInterval), []);
  const shown = { stepSeconds, words: name === "hour" ? "last hour" : "last 24 hours" };
  return html`
    <${PageHead} title="Activity" actions=${html`<${WindowLinks} name=${name} />`}>
      What this program does, counted in its memory since <${Time} at=${since} now=${now} />. Each listener counts on its own.
    <//>
    <div class="usage">
      <${Now} dashboard=${dashboard} />
      <${TrafficCard} id="usage-dashboard" title="Dashboard" traffic=${traffic.dashboard} ...${shown} />
      ${traffic.s3 &&
        html`<${TrafficCard} id="usage-s3" title="S3 endpoint" traffic=${traffic.s3} ...${shown} />`}
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
    <nav class="usage-windows" aria-label="Time shown">${windows.map(([window, words]) =>
      html`
        <a key=${window} class="button button-small" href=${window === "hour"
          ? "/admin/usage"
          : `/admin/usage?window=${window}`}
          aria-current=${window === name ? "true" : undefined}>${words}</a>
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
  const waiting = jobs.queued > 0 && html`<span class="unit"> + ${formatNumber(jobs.queued)} waiting</span>`;
  const lost = audit.rows_lost > 0 &&
    html`<span class="text-bad"> ${formatNumber(audit.rows_lost)} lost</span>`;
  return html`
    <section class="card usage-now" aria-label="Now">
      <dl class="figures usage-figures">
        <${Figure} label="Sessions">${formatNumber(dashboard.sessions_active)}<//>
        ${credentials !== undefined &&
          html`<${Figure} label="S3 credentials">${formatNumber(credentials)}<//>`}
        <${Figure} label="Jobs running">${formatNumber(jobs.running + jobs.stopping)}${waiting}<//>
        <${Figure} label="Audit queue">${formatNumber(audit.queue_depth)}${lost}<//>
        <${Figure} label="Database"><${Bytes} value=${dashboard.database_bytes} /><//>
        <${Figure} label="Up for">${formatDuration(program.uptime_seconds)}<//>
        <${Figure} label="Version">${program.version}<//>
      </dl>
    </section>
  `;
}
