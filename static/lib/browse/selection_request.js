// @ts-check

/** @import { Entry } from "./entries.js" */

/** Keys and prefixes that one job takes. */
const maxSelected = 1000;

/**
 * What of a folder a job is to copy, and to where, as the API takes it.
 * @typedef {{ src_prefix: string, keys?: string[], prefixes?: string[], dst_prefix: string }} Source
 */

/**
 * Some of what is under a prefix, as the API takes it; all of that without `keys` and `prefixes`.
 * @typedef {{ prefix: string, keys?: string[], prefixes?: string[] }} Selected
 */

/**
 * Rows of a folder as what as few jobs as can be deal with.
 *
 * @param {string} prefix the folder
 * @param {readonly Entry[]} entries
 * @returns {Selected[]}
 */
export function selectedOf(prefix, entries) {
  // Everything in the folder is selected.
  if (entries.some((entry) => entry.folder && entry.key === prefix)) return [{ prefix }];
  const parts = [];
  for (let at = 0; at < entries.length; at += maxSelected) {
    const some = entries.slice(at, at + maxSelected);
    parts.push({
      prefix,
      keys: some.filter((entry) => !entry.folder).map((entry) => entry.key),
      prefixes: some.filter((entry) => entry.folder).map((entry) => entry.key),
    });
  }
  return parts;
}

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
  return selectedOf(prefix, entries).map(({ prefix: src_prefix, ...selection }) => ({
    src_prefix,
    ...selection,
    dst_prefix: to,
  }));
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
