// @ts-check
import { request } from "../api.js";
import { bucketUrl } from "../browse/object_urls.js";

/**
 * A page of all objects under a prefix, whatever their folders.
 * @typedef {object} FlatPage
 * @property {Array<{ key: string, size: number, last_modified: string }>} objects
 * @property {string | undefined} next the token of the next page, `undefined` on the last one
 */

/**
 * Lists a page of up to 1,000 objects. Throws as the API's requests do.
 * @param {{ backend: string, bucket: string, prefix?: string, token: string | undefined }} place
 * @param {{ priority: import("../scheduler.js").Priority, signal: AbortSignal }} options
 * @returns {Promise<FlatPage>}
 */
export async function fetchFlatPage({ backend, bucket, prefix = "", token }, options) {
  const query = new URLSearchParams({ prefix, delimiter: "", max_keys: "1000", etags: "false" });
  if (token !== undefined) query.set("token", token);
  const page = await request("GET", `${bucketUrl(backend, bucket)}/objects?${query}`, options);
  return { objects: page.objects, next: page.is_truncated ? page.next_continuation_token : undefined };
}
