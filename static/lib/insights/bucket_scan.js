// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { fetchFlatPage } from "./listing_page.js";
import { ApiError } from "../api.js";
import { emptyComposition, fromEntries, withObjects } from "./scan.js";

/** @import { Failure } from "../settings/section.js" */
/** @import { Composition, FirstScan } from "./scan.js" */

/**
 * A scan of a bucket: `paused` after its first pages, or when it was stopped.
 * @typedef {object} Scan
 * @property {"running" | "paused" | "done" | "failed"} state
 * @property {Composition} composition
 * @property {number} at when it was last heard of, in milliseconds since the epoch; 0 before that
 * @property {Failure | null} error why it failed
 */

/** Pages of 1,000 objects that are read without being asked for. */
const firstPages = 5;

/**
 * Scans a bucket by listing it: the first pages at once, the rest when told to.
 * @param {string} backend id
 * @param {string} bucket
 * @param {{ data: FirstScan | null, error: Failure | null }} first as it came with the page
 * @param {number} now milliseconds since the epoch
 * @returns {{ scan: Scan, resume: () => void, stop: () => void }}
 */
export function useBucketScan(backend, bucket, first, now) {
  const [scan, setScan] = useState(() => firstScan(first, now));
  const token = useRef(first.data?.next);
  const composition = useRef(scan.composition);
  const abort = useRef(/** @type {AbortController | null} */ (null));
  const run = async (/** @type {number} */ pages) => {
    const running = new AbortController();
    abort.current = running;
    const tell = (/** @type {Scan["state"]} */ state, /** @type {Failure | null} */ error = null) => {
      if (abort.current === running) {
        setScan({ state, composition: composition.current, at: Date.now(), error });
      }
    };
    tell("running");
    try {
      for (let page = 0; page < pages; page++) {
        const found = await fetchFlatPage({ backend, bucket, token: token.current }, {
          priority: page === 0 ? "visible" : "prefetch",
          signal: running.signal,
        });
        composition.current = withObjects(composition.current, found.objects, Date.now());
        token.current = found.next;
        if (token.current === undefined) return tell("done");
        tell("running");
      }
      tell("paused");
    } catch (error) {
      if (running.signal.aborted) return tell("paused");
      if (!(error instanceof ApiError)) throw error;
      tell("failed", error);
    }
  };
  useEffect(() => {
    if (scan.state === "running") run(firstPages);
    if (scan.state === "paused") run(firstPages - 1);
    return () => {
      abort.current?.abort();
      abort.current = null;
    };
  }, []);
  return { scan, resume: () => void run(Infinity), stop: () => abort.current?.abort() };
}

/**
 * The scan as it came with the page.
 * @param {{ data: FirstScan | null, error: Failure | null }} first
 * @param {number} now
 * @returns {Scan}
 */
function firstScan({ data, error }, now) {
  if (data === null) {
    const state = error === null ? "running" : "failed";
    return { state, composition: emptyComposition, at: error === null ? 0 : now, error };
  }
  const composition = fromEntries(data.composition);
  return { state: data.next === undefined ? "done" : "paused", composition, at: now, error: null };
}
