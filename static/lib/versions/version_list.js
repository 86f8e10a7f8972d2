// @ts-check
import { ApiError, request } from "../api.js";
import { backendFacts, unsupported } from "../details/backend_facts.js";

/** @import { Browser } from "../browse/browser.js" */

/**
 * A version of an object, or a delete marker, as the API lists it.
 *
 * @typedef {object} Version
 * @property {string} key
 * @property {string} version_id `null`, as text, for what was stored while the bucket had no versioning
 * @property {boolean} is_latest
 * @property {boolean} is_delete_marker
 * @property {number} size bytes; 0 for a delete marker
 * @property {string} etag
 * @property {string} last_modified RFC 3339
 * @property {string} [storage_class]
 */

/** Versions of one page. */
const pageSize = 1000;

/**
 * Lists versions page by page until there are no more, or `limit` of them.
 *
 * @param {string} api the bucket's address
 * @param {{ key: string } | { prefix: string }} wanted those of one key, or of all keys with a prefix
 * @param {{ limit: number, signal?: AbortSignal, onPage?: (count: number) => void }} options `onPage` is told how many there
 *   are so far
 * @returns {Promise<{ versions: Version[], complete: boolean }>} by key, the newest first under each
 */
export async function listVersions(api, wanted, { limit, signal, onPage }) {
  /** @type {Version[]} */
  const versions = [];
  let token;
  do {
    // An empty prefix is one, too: it must not be left out of the query.
    const path = "prefix" in wanted
      ? `${api}/object/versions?prefix=${encodeURIComponent(wanted.prefix)}`
      : `${api}/object/versions?key=${encodeURIComponent(wanted.key)}`;
    const more = `&max_keys=${pageSize}${token ? `&token=${encodeURIComponent(token)}` : ""}`;
    const page = await request("GET", path + more, { signal, priority: "visible" });
    versions.push(...page.versions);
    token = page.is_truncated ? page.next_continuation_token : undefined;
    onPage?.(versions.length);
  } while (token !== undefined && versions.length < limit);
  return { versions, complete: token === undefined };
}

/**
 * As {@link listVersions}, but a backend that is known to have none is not asked. Throws `not_supported` for it then, too.
 *
 * @param {Browser} browser
 * @param {Parameters<typeof listVersions>[1]} wanted
 * @param {Parameters<typeof listVersions>[2]} options
 */
export async function knownVersions(browser, wanted, options) {
  const facts = await backendFacts(browser);
  if (facts?.capabilities.versioning === false) throw new ApiError({ status: 400, ...unsupported, text: "" });
  return await listVersions(browser.api, wanted, options);
}
