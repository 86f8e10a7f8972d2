// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { pollWhileVisible, request } from "../lib/api.js";
import { formatLatency } from "../lib/format.js";
import { plural } from "../lib/i18n.js";
import { healthState, ProbeStrip } from "../lib/probe_strip.js";
import { Badge, EmptyState, html, Icon, PageHead, Time } from "../lib/ui.js";

const pollInterval = 60_000;

/**
 * @typedef {{ id: string, name: string, type: string, region: string, healthy?: boolean | null, last_probe_at?: string | null,
 *   last_error?: string | null }} Backend
 * @typedef {{ id: string, latency_ms?: number | null, last_error?: string | null,
 *   history: import("../lib/probe_strip.js").Probe[] }} Health
 * @typedef {{ state: "loading" } | { state: "loaded", buckets: number } | { state: "failed", message: string }} BucketCount
 */

/** @param {{ backends: Backend[], health: Health[], me: import("../lib/boot_data.js").Me, now: number }} props */
export function Island({ backends: firstBackends, health: firstHealth, me, now }) {
  const [backends, setBackends] = useState(firstBackends);
  const [health, setHealth] = useState(firstHealth);
  const mayReadHealth = Boolean(me.can.read_health);
  useEffect(() =>
    pollWhileVisible(async () => {
      const background = /** @type {const} */ ({ background: true, priority: "prefetch" });
      setBackends((await request("GET", "/api/backends", background)).backends);
      if (mayReadHealth) setHealth((await request("GET", "/api/admin/backends/health", background)).backends);
    }, pollInterval), []);
  if (backends.length === 0) {
    return html`
      <${PageHead} title="Overview" />
      <${NoBackends} me=${me} />
    `;
  }
  const down = backends.filter((backend) => healthState(backend).kind === "bad").length;
  return html`
    <${PageHead} title="Overview" actions=${me.can.manage_backends &&
      html`<a class="button" href="/admin/backends"><${Icon} name="server" />Manage backends</a>`}>
      ${plural(backends.length, "storage backend", "storage backends")}${down > 0
        ? html`, <strong class="text-bad">${down} unreachable</strong>`
        : ""}
    <//>
    <ul class="backend-list card">
      ${backends.map((backend) =>
        html`
          <${BackendRow} key=${backend.id} backend=${backend} health=${health.find(({ id }) =>
            id === backend.id
          )} now=${now} />
        `
      )}
    </ul>
  `;
}

/** @param {{ backend: Backend, health?: Health, now: number }} props */
function BackendRow({ backend, health, now }) {
  const { kind, word } = healthState(backend);
  const error = health?.last_error ?? backend.last_error;
  return html`
    <li class="backend-row">
      <div class="backend-name">
        <a class="cell-main" href="/b/${encodeURIComponent(backend.id)}">${backend.name}</a>
        <span class="cell-sub"><code>${backend.id}</code>${backend.region && ` · ${backend.region}`}</span>
      </div>
      <div class="backend-health">
        ${health && html`<${ProbeStrip} history=${health.history} />`}
        <span class="backend-state">
          <${Badge} kind=${kind}>${word}</${Badge}>
          ${health?.latency_ms !== undefined && health.latency_ms !== null && backend.healthy &&
            html`<span class="number muted">${formatLatency(health.latency_ms)}</span>`}
        </span>
      </div>
      <div class="backend-buckets"><${BucketCountCell} backend=${backend} /></div>
      ${kind === "bad" && error && html`<p class="backend-error">
        <${Icon} name="alert" /><span class="break">${error}</span>
        ${
        backend.last_probe_at &&
        html`<span class="faint nowrap"><${Time} at=${backend.last_probe_at} now=${now} /></span>`
      }
      </p>`}
    </li>
  `;
}

/**
 * How many buckets a backend has. Asked for each backend on its own: one that does not answer holds up nothing else.
 * @param {{ backend: Backend }} props
 */
function BucketCountCell({ backend }) {
  const path = `/api/backends/${encodeURIComponent(backend.id)}/buckets`;
  const [count, setCount] = useState(/** @type {BucketCount} */ ({ state: "loading" }));
  const unreachable = healthState(backend).kind === "bad";
  const load = async (/** @type {AbortSignal} */ signal) => {
    try {
      const { buckets } = await request("GET", path, { priority: "visible", signal });
      setCount({ state: "loaded", buckets: buckets.length });
    } catch (error) {
      if (!signal.aborted) {
        setCount({ state: "failed", message: error instanceof Error ? error.message : String(error) });
      }
    }
  };
  useEffect(() => {
    if (unreachable) return;
    const controller = new AbortController();
    load(controller.signal);
    return () => controller.abort();
  }, [backend.id, unreachable]);
  if (unreachable) return html`<span class="faint">Buckets unknown</span>`;
  if (count.state === "loading") return html`<span class="faint">Counting…</span>`;
  if (count.state === "failed") {
    return html`<span class="faint" title=${count.message}>Buckets unknown</span>`;
  }
  return html`<a href="/b/${encodeURIComponent(backend.id)}">${
    plural(count.buckets, "bucket", "buckets")
  }</a>`;
}

/** @param {{ me: import("../lib/boot_data.js").Me }} props */
function NoBackends({ me }) {
  if (!me.can.manage_backends) {
    return html`
      <div class="card">
        <${EmptyState} icon="server" title="No storage is connected yet">
            Ask an administrator to connect a backend. It will then show up here.
          <//></div>
    `;
  }
  const action =
    html`<a class="button button-primary" href="/admin/backends?add=1"><${Icon} name="plus" />Connect a backend</a>`;
  return html`
    <div class="card">
      <${EmptyState} icon="server" title="Connect your first storage" action=${action}>
        Any S3-compatible service works: AWS, Cloudflare R2, Backblaze B2, Wasabi, MinIO, Garage, SeaweedFS, Ceph and others.
      <//></div>
  `;
}
