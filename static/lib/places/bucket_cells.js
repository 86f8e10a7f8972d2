// @ts-check
import { percent } from "../charts/percent.js";
import { formatBytes, formatUtc } from "../format.js";
import { rich, t } from "../i18n.js";
import { QuotaMeter } from "../quota_meter.js";
import { Badge, Bytes, html, Icon, Time } from "../ui.js";
import { quotaOf } from "./bucket_totals.js";
import { FactTip } from "./fact_tip.js";

/** @import { BucketSummary } from "../browse/bucket_list.js" */
/** @import { QuotaStanding } from "./bucket_totals.js" */
/** @import { BucketProperties } from "./use_bucket_properties.js" */

/**
 * What a bucket holds, when that was counted, and as a hairline its share of the backend.
 *
 * @param {{ bucket: BucketSummary, total: number, now: number, track: (() => void) | null }} props `total`: bytes that the
 *   backend holds; `track` has the bucket counted from now on, `null` for who may not
 */
export function SizeCell({ bucket, total, now, track }) {
  const { size_bytes: bytes, computed_at: at, size_tracked: tracked, quota } = bucket;
  if (bytes === undefined) {
    if (tracked || quota) return html`<span class="faint">${t("buckets.counting")}</span>`;
    return html`
      <span class="faint">${t("buckets.not_tracked")}</span>
      ${track && html`
        <button type="button" class="cell-button needs-script" aria-label=${t("buckets.track_name", {
          name: bucket.name,
        })}
          onClick=${track}>${t("buckets.turn_on")}</button>
      `}
    `;
  }
  const share = total === 0 ? 0 : bytes / total;
  return html`
    <div class="size-cell" title=${t("buckets.share", {
      percent: Math.round(share * 100),
      bytes: formatBytes(total),
    })}>
      <${Bytes} value=${bytes} />
      ${at && html`<span class="cell-sub">${
        rich("common.as_of", {
          time: html`<${Time} at=${at} now=${now} />`,
        })
      }</span>`}
      <svg class="share-bar" aria-hidden="true"><rect width=${percent(share)} height="100%" /></svg>
    </div>
  `;
}

/**
 * How a bucket stands to its quota: a meter with a tick at the soft cap, and in words.
 *
 * @param {{ bucket: BucketSummary }} props
 */
export function QuotaCell({ bucket }) {
  const quota = quotaOf(bucket);
  const { state, used, soft, cap } = quota;
  if (state === "none") return html`<span class="faint">${t("buckets.quota_none")}</span>`;
  if (state === "unknown") {
    const words = t("buckets.quota_counting", { cap: formatBytes(cap) });
    return html`
      <${FactTip} facts=${quotaFacts(bucket, quota)}>
        <span class="quota-cell"><span class="faint">${words}</span><svg class="quota-meter" aria-hidden="true">
          <rect class="quota-track" width="100%" height="100%" rx="2" />
        </svg></span>
        <//>
    `;
  }
  const figures = t("buckets.quota_used", { used: formatBytes(used), cap: formatBytes(cap) });
  const warning = quotaWarning(quota);
  return html`
    <${FactTip} facts=${quotaFacts(bucket, quota)}>
      <span class="quota-cell">
        <span class="quota-words">
          <span class="number">${figures}</span>
          ${warning !== "" && html`<${Badge} kind=${state === "over" ? "bad" : "warn"}>${warning}<//>`}
        </span>
        <${QuotaMeter} used=${used} full=${cap} ticks=${[soft]} state=${state} />
      </span>
      <//>
  `;
}

/** @param {QuotaStanding} quota */
function quotaWarning({ state, used, soft, hard }) {
  if (state === "over") return hard > 0 ? t("buckets.quota_full") : t("buckets.quota_over");
  if (state !== "near") return "";
  return soft > 0 && used > soft ? t("buckets.quota_soft_passed") : t("buckets.quota_near");
}

/**
 * @param {BucketSummary} bucket
 * @param {QuotaStanding} quota
 */
function quotaFacts({ computed_at: at }, { state, used, soft, hard }) {
  return [
    state === "unknown" ? "" : t("buckets.quota_fact_used", { bytes: formatBytes(used) }),
    soft > 0 ? t("buckets.quota_fact_soft", { bytes: formatBytes(soft) }) : "",
    hard > 0 ? t("buckets.quota_fact_hard", { bytes: formatBytes(hard) }) : "",
    at
      ? t("buckets.quota_fact_counted", { time: formatUtc(Date.parse(at)) })
      : t("buckets.quota_fact_uncounted"),
    t("buckets.quota_fact_versions"),
  ].filter((fact) => fact !== "");
}

/**
 * Whether a bucket is known to be open to everyone.
 *
 * @param {BucketSummary} bucket
 * @param {BucketProperties | undefined} properties
 */
export function isPublic(bucket, properties) {
  const access = properties?.public_access;
  return bucket.anonymous_read === true || access === "public" || access === "conditional";
}

/**
 * Whether a bucket is open to everyone: at the S3 endpoint, or by its policy.
 *
 * @param {{ bucket: BucketSummary, properties: BucketProperties | undefined }} props
 */
export function AccessCell({ bucket, properties }) {
  if (bucket.anonymous_read) {
    return html`<span title=${t("buckets.public_endpoint_hint")}><${Badge} kind="warn">${
      t("buckets.public_endpoint")
    }<//></span>`;
  }
  const access = properties?.public_access;
  if (access === "public" || access === "conditional") {
    return html`<span title=${
      access === "public" ? t("buckets.public_policy_hint") : t("buckets.public_conditional_hint")
    }><${Badge} kind="warn">${
      access === "public" ? t("buckets.public_policy") : t("buckets.public_conditional")
    }<//></span>`;
  }
  return html`<${Told} properties=${properties} value=${access && t("buckets.private")} faint=${true} />`;
}

/** @type {Readonly<Record<"enabled" | "suspended" | "off", import("../i18n.js").MessageKey>>} */
const versioningWords = {
  enabled: "buckets.versioning_on",
  suspended: "buckets.versioning_suspended",
  off: "buckets.versioning_off",
};

/** @param {{ properties: BucketProperties | undefined }} props */
export function VersioningCell({ properties }) {
  const status = properties?.versioning;
  return html`
    <${Told} properties=${properties} value=${status && t(versioningWords[status])}
      faint=${status === "off"} />
  `;
}

/** @param {{ properties: BucketProperties | undefined }} props */
export function LockCell({ properties }) {
  if (properties?.object_lock) {
    return html`<span class="lock-cell" title=${t("buckets.lock_hint")}><${Icon} name="lock" />${
      t("buckets.lock_on")
    }</span>`;
  }
  return html`
    <${Told} properties=${properties} value=${properties?.object_lock === false && t("buckets.lock_off")}
      faint=${true} />
  `;
}

/**
 * What the backend told of a bucket: nothing yet, a word, or that it does not tell.
 *
 * @param {{ properties: BucketProperties | undefined, value: string | false | undefined, faint?: boolean }} props
 */
export function Told({ properties, value, faint = false }) {
  if (properties === undefined) return html`<span class="faint" aria-hidden="true">…</span>`;
  if (!value) return html`<span class="faint" title=${t("buckets.not_told")}>–</span>`;
  const at = properties.read_at;
  return html`<span class=${faint ? "faint" : ""} title=${
    at && t("buckets.read_at", { time: formatUtc(Date.parse(at)) })
  }>${value}</span>`;
}
