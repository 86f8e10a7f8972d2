// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../api.js";

/** @import { Browser } from "../browse/browser.js" */

/**
 * What a backend can do, as far as it is known.
 * @typedef {{ presign: boolean, capabilities: Record<string, boolean | "unknown"> }} BackendFacts
 */

/** What was asked once; it hardly ever changes. @type {WeakMap<Browser, Promise<BackendFacts | null>>} */
const known = new WeakMap();

/**
 * What the browser's backend can do: what it cannot need not be asked for. `null` where that could not be found out.
 * @param {Browser} browser
 * @returns {Promise<BackendFacts | null>}
 */
export function backendFacts(browser) {
  const asked = known.get(browser) ??
    request("GET", `/api/backends/${encodeURIComponent(browser.backend.id)}`, { priority: "visible" }).catch(
      () => null,
    );
  known.set(browser, asked);
  return asked;
}

/**
 * As {@link backendFacts}; `undefined` until it is there.
 * @param {Browser} browser
 */
export function useBackendFacts(browser) {
  const [facts, setFacts] = useState(/** @type {BackendFacts | null | undefined} */ (undefined));
  useEffect(() => {
    backendFacts(browser).then(setFacts);
  }, [browser]);
  return facts;
}

/** What an attempt would answer with where a backend lacks something. */
export const unsupported = Object.freeze({ code: "not_supported", message: "" });
