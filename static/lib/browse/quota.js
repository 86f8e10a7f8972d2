// @ts-check
import { request } from "../api.js";
import { quotaBanner } from "./lazy_parts.js";

/** @import { Browser } from "./browser.js" */

/**
 * A bucket's quota, as `GET …/quota` answers it; 0 stands for no limit.
 * @typedef {object} Quota
 * @property {boolean} configured
 * @property {number} soft_bytes
 * @property {number} hard_bytes
 * @property {number} usage_bytes
 * @property {number} object_count
 * @property {boolean} has_usage whether it is known what the bucket holds
 * @property {string | null} computed_at
 */

/**
 * Finds out how much the bucket holds, and shows a banner when that is over a limit of its quota.
 *
 * @param {Browser} browser
 * @param {AbortSignal} signal
 */
export async function watchQuota(browser, signal) {
  /** @type {Quota} */
  const quota = await request("GET", `${browser.api}/quota`, { priority: "prefetch", signal });
  if (quota.has_usage) browser.objectCount.value = quota.object_count;
  const { configured, soft_bytes: soft, hard_bytes: hard, usage_bytes: usage } = quota;
  const isOver = (soft > 0 && usage >= soft) || (hard > 0 && usage >= hard);
  if (!configured || !isOver) return;
  await quotaBanner.load();
  browser.quota.value = quota;
}
