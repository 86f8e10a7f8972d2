// @ts-check

/** @import { BucketSummary } from "../browse/bucket_list.js" */

/**
 * What the buckets of a backend hold together, as far as they are counted.
 *
 * @typedef {object} BucketTotals
 * @property {number} count buckets in all
 * @property {number} counted those of which the size is known
 * @property {number} bytes
 * @property {number} objects
 * @property {string | null} asOf when the oldest of the figures was taken; `null` without any
 * @property {string[]} alerts names of buckets that are over their soft or hard cap
 */

/**
 * Adds up the buckets of a backend.
 *
 * @param {readonly BucketSummary[]} buckets
 * @returns {BucketTotals}
 */
export function bucketTotals(buckets) {
  const counted = buckets.filter(({ size_bytes: bytes }) => bytes !== undefined);
  const times = counted.map(({ computed_at: at }) => at ?? "").filter((at) => at !== "").sort();
  return {
    count: buckets.length,
    counted: counted.length,
    bytes: counted.reduce((sum, { size_bytes: bytes = 0 }) => sum + bytes, 0),
    objects: counted.reduce((sum, { object_count: objects = 0 }) => sum + objects, 0),
    asOf: times[0] ?? null,
    alerts: buckets.filter((bucket) => isOverCap(bucket)).map(({ name }) => name),
  };
}

/** @param {BucketSummary} bucket */
function isOverCap(bucket) {
  const { state, soft, used } = quotaOf(bucket);
  return state === "over" || (soft > 0 && used > soft);
}

/** Beyond this part of its last cap, a bucket is nearly full. */
const nearPart = 0.9;

/**
 * How a bucket stands to its quota: `none` without one, `unknown` before the first count.
 *
 * @typedef {object} QuotaStanding
 * @property {"none" | "unknown" | "ok" | "near" | "over"} state
 * @property {number} used bytes
 * @property {number} soft bytes, 0 for none
 * @property {number} hard bytes, 0 for none
 * @property {number} cap the last of the caps, in bytes: what the meter is full at
 */

/**
 * How a bucket stands to its quota. Above the soft cap it is near its end, unless there is no other cap.
 *
 * @param {BucketSummary} bucket
 * @returns {QuotaStanding}
 */
export function quotaOf({ quota, size_bytes: used }) {
  const soft = quota?.soft_bytes ?? 0;
  const hard = quota?.hard_bytes ?? 0;
  const cap = hard || soft;
  const figures = { used: used ?? 0, soft, hard, cap };
  if (cap === 0) return { state: "none", ...figures };
  if (used === undefined) return { state: "unknown", ...figures };
  if (hard > 0 ? used >= hard : used > soft) return { state: "over", ...figures };
  const near = (soft > 0 && used > soft) || used >= nearPart * cap;
  return { state: near ? "near" : "ok", ...figures };
}
