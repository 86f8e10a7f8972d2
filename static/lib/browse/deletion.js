// @ts-check
import { request } from "../api.js";
import { queryValue } from "./address.js";

/** @import { Entry } from "./entries.js" */

/** Keys that one request may delete, and a listing page holds. */
const maxKeys = 1000;

/** Pages of a folder that are counted before "more than" has to do. */
const maxPages = 10;

/**
 * What a deletion would take away.
 *
 * @typedef {object} Extent
 * @property {number} objects
 * @property {number} bytes
 * @property {boolean} more whether there is more than was counted
 */

/** @typedef {{ key: string, message: string }} DeletionError */

/**
 * Counts what a deletion of these rows takes away, looking into folders.
 *
 * @param {string} api the bucket's address
 * @param {readonly Entry[]} entries
 * @param {AbortSignal} signal
 * @returns {Promise<Extent>}
 */
export async function measure(api, entries, signal) {
  const extent = { objects: 0, bytes: 0, more: false };
  let pages = 0;
  for (const entry of entries) {
    if (!entry.folder) {
      extent.objects++;
      extent.bytes += entry.size;
      continue;
    }
    let token;
    do {
      if (pages++ === maxPages) return { ...extent, more: true };
      const page = await listKeys(api, entry.key, token, signal);
      extent.objects += page.objects.length;
      for (const { size } of page.objects) extent.bytes += size;
      token = page.is_truncated ? page.next_continuation_token : undefined;
    } while (token !== undefined);
  }
  return extent;
}

/**
 * Deletes rows, folders with all that is in them. Stops between two requests when `signal` aborts.
 *
 * @param {string} api the bucket's address
 * @param {readonly Entry[]} entries
 * @param {AbortSignal} signal
 * @param {(deleted: number) => void} onProgress objects so far
 * @returns {Promise<{ gone: string[], deleted: number, errors: DeletionError[] }>} `gone`: the rows of which nothing is left
 */
export async function deleteEntries(api, entries, signal, onProgress) {
  /** @type {DeletionError[]} */
  const errors = [];
  const gone = [];
  let deleted = 0;
  const objects = entries.filter(({ folder }) => !folder).map(({ key }) => key);
  for (let at = 0; at < objects.length && !signal.aborted; at += maxKeys) {
    const done = await deleteKeys(api, objects.slice(at, at + maxKeys), errors);
    gone.push(...done);
    onProgress(deleted += done.length);
  }
  for (const folder of entries.filter((entry) => entry.folder)) {
    const before = errors.length;
    let token;
    while (!signal.aborted && errors.length === before) {
      const page = await listKeys(api, folder.key, token, signal);
      const keys = page.objects.map(({ key }) => key);
      if (keys.length > 0) onProgress(deleted += (await deleteKeys(api, keys, errors)).length);
      token = page.next_continuation_token;
      if (page.is_truncated) continue;
      if (errors.length === before) gone.push(folder.key);
      break;
    }
  }
  return { gone, deleted, errors };
}

/**
 * @param {string} api
 * @param {string[]} keys
 * @param {DeletionError[]} errors added to
 * @returns {Promise<string[]>} the keys that are gone
 */
async function deleteKeys(api, keys, errors) {
  const answer = await request("POST", `${api}/objects/delete`, {
    json: { keys: keys.map((key) => ({ key })) },
  });
  const failed = new Set(answer.errors.map((/** @type {DeletionError} */ { key }) => key));
  errors.push(...answer.errors);
  return keys.filter((key) => !failed.has(key));
}

/**
 * @param {string} api
 * @param {string} prefix
 * @param {string | undefined} token
 * @param {AbortSignal} signal
 * @returns {Promise<import("./entries.js").ListingPage>}
 */
function listKeys(api, prefix, token, signal) {
  const after = token === undefined ? "" : `&token=${encodeURIComponent(token)}`;
  // An empty delimiter has to be said: without one, keys are grouped by "/".
  return request(
    "GET",
    `${api}/objects?delimiter=&prefix=${queryValue(prefix)}&max_keys=${maxKeys}${after}`,
    { signal },
  );
}
