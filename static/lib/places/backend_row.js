// @ts-check
/// <reference lib="dom" />
import { backendPage, bucketPage } from "../browse/object_urls.js";
import { CopyButton } from "../copy_button.js";
import { formatLatency } from "../format.js";
import { rich, t } from "../i18n.js";
import { healthState } from "../health_state.js";
import { isDrawn, Kept } from "../kept.js";
import { LazyComponent } from "../lazy_component.js";
import { ProbeStrip } from "../probe_strip.js";
import { Badge, Bytes, html, Icon, Time } from "../ui.js";
import { useBackendBuckets } from "./backend_buckets.js";

/** @import { BucketList, BucketPreview } from "./backend_buckets.js" */
/** @import { Endpoint } from "./vendor.js" */

/**
 * @typedef {{ id: string, name: string, region: string, healthy?: boolean | null, last_probe_at?: string | null }} Backend
 * @typedef {{ id: string, latency_ms?: number | null, last_error?: string | null, last_error_reason?: string | null,
 *   history: readonly import("../probe_strip.js").Probe[] }} Health
 */

const failure = new LazyComponent(async () => (await import("../backend_failure.js")).BackendFailure);

/**
 * Loads what says why backends do not answer, unless the page says so already; to be awaited before they are drawn.
 * @param {readonly Backend[]} backends
 */
export async function prepareRows(backends) {
  const failed = backends.filter((backend) => healthState(backend).kind === "bad");
  if (!failed.every(({ id }) => isDrawn(failureId(id)))) await failure.load();
}

/** @param {string} id of a backend */
function failureId(id) {
  return `failure-${id}`;
}

/** Buckets over their cap that are named; of more, only the number is told. */
const maxAlerts = 3;

/**
 * A backend on the overview: how it is, and what it holds.
 *
 * @param {{
 *   backend: Backend, health?: Health, endpoint?: Endpoint, list: BucketList, listed: boolean, now: number,
 *   onList: (list: BucketList) => void
 * }} props `endpoint` for who may know it; `listed`: whether the first buckets are shown, too
 */
export function BackendRow({ backend, health, endpoint, list: known, listed, now, onList }) {
  const { kind, word } = healthState(backend);
  const list = useBackendBuckets(backend.id, known, kind === "bad", onList);
  const preview = list.state === "loaded" ? list.preview : null;
  return html`
    <li class="backend-item">
      <div class="backend-row ${health ? "" : "backend-row-short"}">
        <${BackendName} backend=${backend} endpoint=${endpoint} />
        <div class="backend-state">
          <${Badge} kind=${kind}>${word}<//>
        </div>
        ${health && html`<${ProbeStrip} history=${health.history} name=${backend.name} />`}
        ${health && html`
          <span class="backend-latency number muted">${kind === "ok" && typeof health.latency_ms === "number"
            ? formatLatency(health.latency_ms)
            : ""}</span>
        `}
        <div class="backend-buckets"><${BucketCount} list=${list} /></div>
        <div class="backend-size"><${StoredSize} preview=${preview} now=${now} /></div>
      </div>
      ${kind === "bad" && (!health || health.last_error) && html`
        <p class="backend-error">
          <${Icon} name="alert" /><span id=${failureId(backend.id)}>${health
            ? html`
              <${Kept} in=${failureId(backend.id)} part=${failure}
                props=${{ reason: health.last_error_reason, error: health.last_error }} />
            `
            : t("overview.ask_why")}</span>
          ${backend.last_probe_at &&
            html`<span class="faint nowrap"><${Time} at=${backend.last_probe_at} now=${now} /></span>`}
        </p>
      `}
      ${preview && preview.alerts.length > 0 &&
        html`<${CapAlert} backend=${backend.id} names=${preview.alerts} />`}
      ${listed && preview && preview.count > 0 && html`
        <${FirstBuckets} backend=${backend} preview=${preview} now=${now} />
      `}
    </li>
  `;
}

/** @param {{ backend: Backend, endpoint?: Endpoint }} props */
function BackendName({ backend, endpoint }) {
  const { host, vendor } = endpoint ?? { host: "", vendor: { mark: "S3", name: "S3" } };
  return html`
    <div class="backend-name">
      <span class="vendor-mark" title=${vendor.name} aria-hidden="true">${vendor.mark}</span>
      <div class="backend-name-text">
        <a class="cell-main stretched" href=${backendPage(backend.id)}>${backend.name}</a>
        ${host
          ? html`<span class="cell-sub backend-host"><code class="truncate" title=${host}>${host}</code
            ><${CopyButton} text=${host} label=${t("overview.copy_host", { name: backend.name })} /></span>`
          : html`<span class="cell-sub"><code>${backend.id}</code>${
            backend.region && ` · ${backend.region}`
          }</span>`}
      </div>
    </div>
  `;
}

/** @param {{ list: BucketList }} props */
function BucketCount({ list }) {
  if (list.state === "loading") {
    return html`<span class="faint needs-script">${t("overview.counting")}</span>`;
  }
  if (list.state === "failed") {
    return html`<span class="faint" title=${list.message}>${t("overview.buckets_unknown")}</span>`;
  }
  return html`<span class="number">${t("common.buckets", { n: list.preview.count })}</span>`;
}

/** @param {{ preview: BucketPreview | null, now: number }} props */
function StoredSize({ preview, now }) {
  if (preview === null || preview.count === 0) return null;
  if (preview.asOf === null) return html`<span class="faint">${t("overview.size_not_tracked")}</span>`;
  const { bytes, counted, count, asOf } = preview;
  const time = html`<${Time} at=${asOf} now=${now} />`;
  return html`
    <${Bytes} value=${bytes} />
    <span class="cell-sub">${counted < count
      ? rich("overview.of_counted", { counted, n: count, time })
      : rich("common.as_of", { time })}</span>
  `;
}

/** @param {{ backend: string, names: readonly string[] }} props */
function CapAlert({ backend, names }) {
  const links = names.slice(0, maxAlerts).map((name, index) =>
    html`${index > 0 && ", "}<a href=${bucketPage(backend, name)}>${name}</a>`
  );
  return html`
    <p class="backend-alert">
      <${Icon} name="alert" />
      <span class="break">${t("overview.over_cap", { n: names.length })} ${links}${names.length > maxAlerts &&
        html`, <a href="${backendPage(backend)}?sort=quota&dir=desc">${t("common.more")}</a>`}</span>
    </p>
  `;
}

/** @param {{ backend: Backend, preview: BucketPreview, now: number }} props */
function FirstBuckets({ backend, preview: { first, count }, now }) {
  return html`
    <ul class="first-buckets" aria-label=${t("overview.buckets_of", { name: backend.name })}>
      ${first.map(({ name, created_at: createdAt }) =>
        html`
          <li key=${name}>
            <a class="bucket-link" href=${bucketPage(backend.id, name)}>
              <${Icon} name="bucket" /><span class="break">${name}</span>
              ${createdAt &&
                html`<span class="faint nowrap">${
                  rich("overview.created", { time: html`<${Time} at=${createdAt} now=${now} />` })
                }</span>`}
            </a>
          </li>
        `
      )}
      ${count > first.length && html`
        <li>
          <a class="bucket-link" href=${backendPage(backend.id)}
          ><${Icon} name="more" /><span>${t("overview.all_buckets", { n: count })}</span></a>
        </li>
      `}
    </ul>
  `;
}
