// @ts-check
import { formatNumber } from "../format.js";
import { rich, t } from "../i18n.js";
import { Timestamp } from "../moments.js";
import { withQuery } from "../api.js";
import { Badge, Bytes, EmptyState, html, Time } from "../ui.js";

/** @typedef {import("./usage_format.js").Dashboard} Dashboard */
/** @typedef {Dashboard["failures"][number]} Failure */

/**
 * What each backend holds, as far as its buckets are counted.
 * @param {{ storage: Dashboard["storage"], now: number }} props
 */
export function StorageCard({ storage: { bytes, objects, backends }, now }) {
  const largest = Math.max(1, ...backends.map((backend) => backend.bytes));
  return html`
    <section class="card" aria-labelledby="usage-storage">
      <header class="usage-head">
        <h2 id="usage-storage">${t("traffic.storage")}</h2>
        <p class="muted">${rich("traffic.storage_counted", {
          objects: t("common.objects", { n: objects }),
          bytes: html`<${Bytes} value=${bytes} />`,
        })}</p>
      </header>
      ${backends.length === 0 && html`<p class="usage-none">${t("traffic.no_backend")}</p>`}
      <ul class="usage-storage">
        ${backends.map((backend) =>
          html`<${BackendStorage} key=${backend.backend_id} backend=${backend} largest=${largest} now=${now} />`
        )}
      </ul>
    </section>
  `;
}

/** @param {{ backend: Dashboard["storage"]["backends"][number], largest: number, now: number }} props */
function BackendStorage({ backend, largest, now }) {
  const { backend_id: id, name, bytes, objects, as_of: asOf, tracked_buckets: tracked } = backend;
  const counted = tracked - backend.uncounted_buckets;
  return html`
    <li>
      <div class="usage-storage-line">
        <a class="cell-main break" href="/b/${encodeURIComponent(id)}">${name}</a>
        ${counted > 0 && html`<span><${Bytes} value=${bytes} /></span>`}
      </div>
      ${counted > 0 && html`
        <svg class="usage-bar" aria-hidden="true">
          <rect class="usage-bar-fill" height="100%"
            width=${`${Math.round(bytes / largest * 1000) / 10}%`} />
        </svg>
      `}
      <p class="cell-sub">${counted > 0
        ? rich("traffic.objects_in_buckets", {
          n: counted,
          objects: t("common.objects", { n: objects }),
          time: html`<${Time} at=${asOf} now=${now} />`,
        })
        : tracked > 0
        ? t("traffic.being_counted")
        : t("traffic.none_counted")}${counted > 0 &&
        backend.uncounted_buckets > 0 &&
        t("traffic.still_to_count", { n: backend.uncounted_buckets })}</p>
    </li>
  `;
}

/**
 * The buckets that hold the most.
 * @param {{ buckets: Dashboard["top_buckets"]["by_size"], now: number }} props
 */
export function LargestBuckets({ buckets, now }) {
  return html`
    <section class="card" aria-labelledby="usage-largest">
      <header class="usage-head"><h2 id="usage-largest">${t("traffic.largest")}</h2></header>
      ${buckets.length === 0 ? html`<p class="usage-none">${t("traffic.no_bucket_counted")}</p>` : html`
        <table class="table table-plain usage-largest">
          <thead>
            <tr>
              <th scope="col">${t("common.bucket")}</th>
              <th scope="col" class="number">${t("common.size")}</th>
              <th scope="col" class="number">${t("traffic.objects")}</th>
              <th scope="col" class="number">${t("traffic.counted")}</th>
            </tr>
          </thead>
          <tbody>${buckets.map((bucket) =>
            html`
              <tr key=${`${bucket.backend_id}/${bucket.bucket}`}>
                <td class="break">
                  <${BucketLink} ...${bucket} />
                </td>
                <td class="number nowrap">
                  <${Bytes} value=${bucket.bytes} />
                </td>
                <td class="number">${formatNumber(bucket.objects)}</td>
                <td class="number nowrap">
                  <${Time} at=${bucket.computed_at} now=${now} />
                </td>
              </tr>
            `
          )}</tbody>
        </table>
      `}
    </section>
  `;
}

/**
 * The buckets with the most requests.
 * @param {{ buckets: Dashboard["top_buckets"]["by_requests"] }} props
 */
export function BusiestBuckets({ buckets }) {
  return html`
    <section class="card" aria-labelledby="usage-busiest">
      <header class="usage-head">
        <h2 id="usage-busiest">${t("traffic.busiest")}</h2>
        <p class="muted">${t("traffic.busiest_hint")}</p>
      </header>
      ${buckets.length === 0 ? html`<p class="usage-none">${t("traffic.no_bucket_asked")}</p>` : html`
        <table class="table table-plain">
          <thead>
            <tr>
              <th scope="col">${t("common.bucket")}</th>
              <th scope="col" class="number">${t("traffic.requests")}</th>
            </tr>
          </thead>
          <tbody>${buckets.map((bucket) =>
            html`
              <tr key=${`${bucket.backend_id}/${bucket.bucket}`}>
                <td class="break">
                  <${BucketLink} ...${bucket} />
                </td>
                <td class="number">${formatNumber(bucket.requests)}</td>
              </tr>
            `
          )}</tbody>
        </table>
      `}
    </section>
  `;
}

/** @param {{ backend_id: string, bucket: string }} props */
function BucketLink({ backend_id: backend, bucket }) {
  const href = `/b/${encodeURIComponent(backend)}/${encodeURIComponent(bucket)}`;
  return html`<a href=${href}>${bucket}</a> <span class="faint">${backend}</span>`;
}

/**
 * The requests that failed last.
 * @param {{ failures: readonly Failure[] }} props
 */
export function Failures({ failures }) {
  return html`
    <section aria-labelledby="usage-failures">
      <header class="usage-section">
        <h2 id="usage-failures">${t("traffic.failures")}</h2>
        <p
          class="muted">${t("traffic.failures_hint")}</p>
      </header>
      <div class="table-box">
        ${failures.length === 0
          ? html`<${EmptyState} icon="check" title=${t("traffic.no_failure")}>
              ${t("traffic.no_failure_hint")}<//>`
          : html`
            <table class="table table-cards usage-failures">
              <thead>
                <tr>
                  <th scope="col">${t("traffic.time")}</th>
                  <th scope="col">${t("traffic.request")}</th>
                  <th scope="col">${t("traffic.status")}</th>
                  <th scope="col">${t("common.bucket")}</th>
                  <th scope="col">${t("traffic.by")}</th>
                  <th scope="col">${t("traffic.request_id")}</th>
                </tr>
              </thead>
              <tbody>${failures.map((failure) =>
                html`<${FailureRow} key=${failure.request_id} failure=${failure} />`
              )}</tbody>
            </table>
          `}
      </div>
    </section>
  `;
}

/** @param {{ failure: Failure }} props */
function FailureRow({ failure }) {
  const { listener, status, code, backend_id: backend, bucket, username, access_key: accessKey } = failure;
  return html`
    <tr>
      <td data-label=${t("traffic.time")}>
        <${Timestamp} at=${failure.at} />
      </td>
      <td class="cell-head"><code class="break">${failure.operation}</code>
        <span class="cell-sub">${listener === "s3"
          ? t("traffic.s3_endpoint")
          : t("traffic.dashboard")}</span></td>
      <td data-label=${t("traffic.status")}>
        <div>
          <${Badge} kind=${status >= 400 && status < 500 ? "warn" : "bad"}>${status}<//>
        <span class="visually-hidden"> · </span><code class="cell-sub break">${code}</code></div></td>
      <td class="break" data-label=${t("common.bucket")}>${[backend, bucket].filter(Boolean).join(" / ")}</td>
      <td class="break" data-label=${t("traffic.by")}>${username ??
        (accessKey || html`<span class="faint">${t("traffic.nobody")}</span>`)}</td>
      <td data-label=${t("traffic.request_id")}><div><code class="break">${failure.request_id}</code>
        ${failure.audited && html`<a class="usage-audit" href=${auditHref(failure)}>${t("traffic.audit_log")}
          <span class="visually-hidden"> ${t("traffic.around", { time: failure.at })}</span></a>`}</div></td>
    </tr>
  `;
}

/**
 * The audit log at the time of a failure: a record is written just before the answer leaves.
 * @param {Failure} failure
 */
function auditHref({ at, backend_id: backend }) {
  const moment = Date.parse(at);
  const time = (/** @type {number} */ distance) => new Date(moment + distance).toISOString();
  return withQuery("/admin/audit", { from: time(-2000), to: time(1000), status: "error", backend });
}
