// @ts-check
/// <reference lib="dom" />

/** @import { Me } from "./boot_data.js" */
/** @import { BackendLink, Crumb } from "./frame_parts.js" */

/**
 * A page as the server sends it to a script that swaps it in: what the document of the same address would hold.
 * @typedef {object} PageData
 * @property {string} build names the static files that go with it
 * @property {string} language a BCP 47 tag
 * @property {string} title of the document, with the product's name
 * @property {readonly Crumb[]} crumbs
 * @property {"fill" | null} layout
 * @property {readonly string[]} styles style sheets besides `app.css`
 * @property {string | null} island `null` for a page that only a document shows
 * @property {Record<string, any>} props
 * @property {Me | null} me `null` when nobody is signed in any more
 * @property {number} now milliseconds since the epoch
 * @property {readonly BackendLink[]} backends those in the rail
 */

/** The page has no data of this kind, or there is none for now; `error` says why if the server could not be asked. */
export class NoPageData extends Error {
  /**
   * @param {"document" | "unreachable"} reason `document` when only a document can show the address
   * @param {number} [status] 0 without an answer
   */
  constructor(reason, status = 0) {
    super(reason);
    this.reason = reason;
    this.status = status;
  }
}

/**
 * Asks for the data of one of our pages. Throws {@link NoPageData}, or the signal's `AbortError`.
 * @param {URL} url
 * @param {AbortSignal} signal
 * @returns {Promise<{ data: PageData, address: URL }>} with the address that a redirect led to
 */
export async function fetchPageData(url, signal) {
  // The path alone would be another host's address if it began with two slashes.
  const response = await fetch(url, {
    headers: { accept: "application/json", "x-page-data": "1" },
    signal,
  }).catch((error) => {
    throw signal.aborted ? error : new NoPageData("unreachable");
  });
  if (response.headers.get("x-page-data") === "1") {
    return { data: await response.json(), address: new URL(response.url) };
  }
  await response.body?.cancel();
  // A proxy's own error page is worth nothing here: the one that is shown stays.
  throw new NoPageData(response.status >= 500 ? "unreachable" : "document", response.status);
}
