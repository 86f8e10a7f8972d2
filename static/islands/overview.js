// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { pollWhileVisible, request } from "../lib/api.js";
import { formatLatency } from "../lib/format.js";
import { plural } from "../lib/i18n.js";
import { PageHead } from "../lib/page_head.js";
import { healthState, ProbeStrip } from "../lib/probe_strip.js";
import { Badge, EmptyState, html, Icon, Time } from "../lib/ui.js";

const pollInterval = 60_000;

/**
 * @typedef {{ id: string, name: string, type: string, region: string, healthy?: boolean | null, last_probe_at?: string | null,
 *   last_error?: string | null }} Backend
 * @typedef {{ id: string, latency_ms?: number | null, last_error?: string | null,
 *   history: import("../lib/probe_strip.js").Probe[] }} Health
 * @typedef {{ name: string, created_at?: string }} Bucket
 * @typedef {{ state: "loading" } | { state: "loaded", count: number, buckets: Bucket[] } |
 *   { state: "failed", message: string }} BucketList
 */

/** With this many backends or more, their buckets are counted but not listed. */
const maxListed = 4;

/** Buckets that are listed below a backend. */
const maxBuckets = 10;

/**
 * What the page shows of a backend's buckets: how many, and the first of them.
 * @param {readonly Bucket[]} buckets
 */
export function bucketPreview(buckets) {
  return {
    count: buckets.length,
    buckets: buckets.slice(0, maxBuckets).map(({ name, created_at }) => ({ name, created_at })),
  };
}

/**
 * Whether buckets are listed below each of `count` backends.
 * @param {number} count
 */
export function listsBuckets(count) {
  return count < maxListed;
}

/**
 * @param {{ backends: Backend[], health: Health[], buckets: Record<string, ReturnType<typeof bucketPreview>>,
 *   again: string, me: import("../lib/boot_data.js").Me, now: number }} props
 */
export function Island({ backends: firstBackends, health: firstHealth, buckets, again, me, now }) {
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
  const listed = listsBuckets(backends.length);
  const isLate = listed && backends.some((backend) => backend.healthy && buckets[backend.id] === undefined);
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
          )} first=${buckets[backend.id]} listed=${listed}
            now=${now} />
        `
      )}
    </ul>
    ${isLate && html`<p class="without-script"><a class="button" href=${again}>Load it again</a></p>`}
  `;
}

/**
 * @param {{ backend: Backend, health?: Health, first?: ReturnType<typeof bucketPreview>, listed: boolean, now: number }} props
 */
function BackendRow({ backend, health, first, listed, now }) {
  const { kind, word } = healthState(backend);
  const list = useBuckets(backend, first);
  const error = health?.last_error ?? backend.last_error;
  const href = `/b/${encodeURIComponent(backend.id)}`;
  return html`
    <li class="backend-item">
      <div class="backend-row ${health ? "" : "backend-row-short"}">
        <div class="backend-name">
          <a class="cell-main stretched" href=${href}>${backend.name}</a>
          <span class="cell-sub"><code>${backend.id}</code>${backend.region && ` · ${backend.region}`}</span>
        </div>
        <div class="backend-buckets">
          <${BucketCount} list=${list} />
        </div>
        <div class="backend-state">
          <${Badge} kind=${kind}>${word}</${Badge}></div>
        ${health && html`<${ProbeStrip} history=${health.history} />`}
        ${health &&
          html`<span class="backend-latency number muted">${
            kind === "ok" && health.latency_ms !== undefined && health.latency_ms !== null &&
            formatLatency(health.latency_ms)
          }</span>`}
      </div>
      ${kind === "bad" && error && html`<p class="backend-error">
        <${Icon} name="alert" /><span class="break">${error}</span>
        ${
        backend.last_probe_at &&
        html`<span class="faint nowrap"><${Time} at=${backend.last_probe_at} now=${now} /></span>`
      }
      </p>`}
      ${listed && list.state === "loaded" && list.count > 0 && html`
        <ul class="bucket-links" aria-label="Buckets of ${backend.name}">
          ${list.buckets.map((bucket) =>
            html`<${BucketLink} key=${bucket.name} href=${href} bucket=${bucket} now=${now} />`
          )}
          ${list.count > list.buckets.length &&
            html`<li><a class="bucket-link" href=${href}><${Icon} name="more" /><span>All ${
              plural(list.count, "bucket", "buckets")
            }</span></a></li>`}
        </ul>
      `}
    </li>
  `;
}

/** @param {{ href: string, bucket: Bucket, now: number }} props */
function BucketLink({ href, bucket: { name, created_at: createdAt }, now }) {
  return html`
    <li>
      <a class="bucket-link" href="${href}/${encodeURIComponent(name)}">
        <${Icon} name="bucket" /><span class="break">${name}</span>
        ${createdAt && html`<span class="faint nowrap">created <${Time} at=${createdAt} now=${now} /></span>`}
      </a>
    </li>
  `;
}

/**
 * A backend's buckets. Asked for each backend on its own: one that does not answer holds up nothing else.
 * @param {Backend} backend
 * @param {ReturnType<typeof bucketPreview>} [first] what came with the page
 */
function useBuckets(backend, first) {
  const [list, setList] = useState(
    /** @type {BucketList} */ (first === undefined ? { state: "loading" } : { state: "loaded", ...first }),
  );
  const unreachable = healthState(backend).kind === "bad";
  const load = async (/** @type {AbortSignal} */ signal) => {
    const path = `/api/backends/${encodeURIComponent(backend.id)}/buckets`;
    try {
      const { buckets } = await request("GET", path, { priority: "visible", signal });
      setList({ state: "loaded", ...bucketPreview(buckets) });
    } catch (error) {
      if (!signal.aborted) {
        setList({ state: "failed", message: error instanceof Error ? error.message : String(error) });
      }
    }
  };
  useEffect(() => {
    if (unreachable || list.state === "loaded") return;
    const controller = new AbortController();
    load(controller.signal);
    return () => controller.abort();
  }, [backend.id, unreachable]);
  return unreachable && list.state === "loading"
    ? /** @type {const} */ ({ state: "failed", message: "The backend does not answer." })
    : list;
}

/** @param {{ list: BucketList }} props */
function BucketCount({ list }) {
  if (list.state === "loading") return html`<span class="faint needs-script">Counting…</span>`;
  if (list.state === "failed") return html`<span class="faint" title=${list.message}>Buckets unknown</span>`;
  return html`<span class="number">${plural(list.count, "bucket", "buckets")}</span>`;
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
