// @ts-check
import { useEffect, useState } from "preact/hooks";
import { request } from "../api.js";

/**
 * How long links may last from when they are made, in milliseconds; `Infinity` for ever.
 * @typedef {{ share: number, upload: number }} Lifetimes
 */

/**
 * How long links of a kind may last from when they are made, in milliseconds. Until that is told, and where it cannot be, the form lets everything
 * through, and the server has the last word.
 *
 * @param {keyof Lifetimes} kind
 */
export function useLongest(kind) {
  const [longest, setLongest] = useState(Infinity);
  useEffect(() => {
    const abort = new AbortController();
    readLifetimes(abort.signal).then((lifetimes) => setLongest(lifetimes[kind]), () => {});
    return () => abort.abort();
  }, [kind]);
  return longest;
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<Lifetimes>}
 */
async function readLifetimes(signal) {
  const limits = await request("GET", "/api/shares/limits", { signal });
  const { max_lifetime_seconds: share, max_upload_lifetime_seconds: upload } = limits;
  return { share: share === null ? Infinity : 1000 * share, upload: 1000 * upload };
}
