// @ts-check

/** @import { Entry } from "./entries.js" */

/** Keys and prefixes that one job takes. */
const maxSelected = 1000;

/**
 * What of a folder a job is to copy, and to where, as the API takes it.
 * @typedef {{ src_prefix: string, keys?: string[], prefixes?: string[], dst_prefix: string }} Source
 */

/**
 * Rows of a folder as the sources of as few jobs as can be.
 *
 * @param {string} prefix the folder
 * @param {readonly Entry[]} entries
 * @param {string} to the folder that they go to
 * @param {string} [name] a new one for a single row
 * @returns {Source[]}
 */
export function sourcesOf(prefix, entries, to, name) {
  const [{ key, folder }] = entries;
  if (entries.length === 1 && name !== undefined) {
    return [
      folder
        ? { src_prefix: key, dst_prefix: `${to}${name}/` }
        : { src_prefix: key, keys: [key], prefixes: [], dst_prefix: to + name },
    ];
  }
  // Everything in the folder is selected.
  if (entries.some((entry) => entry.folder && entry.key === prefix)) {
    return [{ src_prefix: prefix, dst_prefix: to }];
  }
  const sources = [];
  for (let at = 0; at < entries.length; at += maxSelected) {
    const some = entries.slice(at, at + maxSelected);
    sources.push({
      src_prefix: prefix,
      keys: some.filter((entry) => !entry.folder).map((entry) => entry.key),
      prefixes: some.filter((entry) => entry.folder).map((entry) => entry.key),
      dst_prefix: to,
    });
  }
  return sources;
}

/**
 * The way back of a move.
 *
 * @param {Source} source
 * @returns {Source}
 */
export function wayBack({ src_prefix: from, keys, prefixes, dst_prefix: to }) {
  const moved = (/** @type {string} */ key) => to + key.slice(from.length);
  return { src_prefix: to, keys: keys?.map(moved), prefixes: prefixes?.map(moved), dst_prefix: from };
}
