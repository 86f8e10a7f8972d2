// @ts-check

/** @import { StoredObject } from "./storage_api.js" */

/** Pages of listings that are read at most, unless told: beyond that, names are asked about one by one as they come. */
const maxPages = 40;

/**
 * @typedef {object} Folders
 * @property {(prefix: string, options: { token?: string, signal?: AbortSignal }) => Promise<
 *   { objects: StoredObject[], common_prefixes: string[], next_continuation_token?: string }>} list
 */

/**
 * Which of the keys are taken, by listing the folders that they are in.
 *
 * @param {Folders} folders
 * @param {readonly string[]} keys
 * @param {AbortSignal} signal
 * @param {number} [pages] of listings that are read at most
 * @returns {Promise<{ taken: Set<string>, complete: boolean }>} not complete where there is too much to be read
 */
export async function findTaken(folders, keys, signal, pages = maxPages) {
  const wanted = new Set(keys);
  const prefixes = [...new Set(keys.map((key) => key.slice(0, key.lastIndexOf("/", key.length - 2) + 1)))];
  prefixes.sort((a, b) => a.length - b.length);
  /** @type {Set<string>} */
  const taken = new Set();
  /** Folders whose subfolders are known. @type {Map<string, Set<string>>} */
  const known = new Map();
  let read = 0;
  for (const prefix of prefixes) {
    if (isAbsent(prefix, known)) continue;
    /** @type {Set<string>} */
    const inside = new Set();
    /** @type {string | undefined} */
    let token;
    do {
      if (++read > pages) return { taken, complete: false };
      const page = await folders.list(prefix, { token, signal });
      for (const { key } of page.objects) {
        if (wanted.has(key)) taken.add(key);
      }
      for (const folder of page.common_prefixes) inside.add(folder);
      token = page.next_continuation_token;
    } while (token !== undefined);
    known.set(prefix, inside);
  }
  return { taken, complete: true };
}

/**
 * Whether a folder is not there, as a listing of one above it shows.
 *
 * @param {string} prefix
 * @param {ReadonlyMap<string, ReadonlySet<string>>} known
 */
function isAbsent(prefix, known) {
  for (let at = prefix.indexOf("/"); at >= 0; at = prefix.indexOf("/", at + 1)) {
    const folder = prefix.slice(0, at + 1);
    const above = prefix.slice(0, prefix.lastIndexOf("/", at - 1) + 1);
    if (known.get(above)?.has(folder) === false) return true;
  }
  return false;
}
