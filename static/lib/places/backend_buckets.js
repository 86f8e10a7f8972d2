// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { request } from "../api.js";
import { t } from "../i18n.js";
import { bucketTotals } from "./bucket_totals.js";

/** @import { BucketSummary } from "../browse/bucket_list.js" */
/** @import { BucketTotals } from "./bucket_totals.js" */

/** With this many backends or more, their buckets are counted but not listed. */
const maxListed = 4;

/** Buckets that are listed below a backend. */
const maxBuckets = 10;

/** @typedef {BucketTotals & { first: Pick<BucketSummary, "name" | "created_at">[] }} BucketPreview */

/**
 * @typedef {{ state: "loading" } | { state: "loaded", preview: BucketPreview } | { state: "failed", message: string }}
 *   BucketList
 */

/**
 * What the overview shows of a backend's buckets: their totals, and the first of them.
 *
 * @param {readonly BucketSummary[]} buckets
 * @returns {BucketPreview}
 */
export function bucketPreview(buckets) {
  const first = buckets.slice(0, maxBuckets).map(({ name, created_at }) => ({ name, created_at }));
  return { ...bucketTotals(buckets), first };
}

/**
 * Whether buckets are listed below each of `count` backends.
 *
 * @param {number} count
 */
export function listsBuckets(count) {
  return count < maxListed;
}

/**
 * Loads a backend's buckets, unless they came with the page. Called for each backend on its own: one that does not answer
 * holds up nothing else.
 *
 * @param {string} backend id
 * @param {BucketList} list what is known so far
 * @param {boolean} unreachable whether asking would be in vain
 * @param {(list: BucketList) => void} onChange
 * @returns {BucketList} what is to be shown
 */
export function useBackendBuckets(backend, list, unreachable, onChange) {
  useEffect(() => {
    if (list.state === "loaded" || unreachable) return;
    const controller = new AbortController();
    const { signal } = controller;
    const path = `/api/backends/${encodeURIComponent(backend)}/buckets`;
    request("GET", path, { priority: "visible", signal }).then(
      ({ buckets }) => onChange({ state: "loaded", preview: bucketPreview(buckets) }),
      (error) => signal.aborted || onChange({ state: "failed", message: error.message }),
    );
    return () => controller.abort();
  }, [backend, unreachable]);
  return list.state === "loading" && unreachable
    ? /** @type {const} */ ({ state: "failed", message: t("overview.no_answer") })
    : list;
}
