// @ts-check
/// <reference lib="dom" />

// How modules are kept in the files that browsers load, which hold many each. The first of those files begins with this.

/** @typedef {Record<string, any>} Exports */

/** @type {Map<string, () => Exports>} */
const factories = new Map();

/** @type {Map<string, Exports>} */
const loaded = new Map();

/**
 * Adds a module. One that is there already stays: a file may hold what another has brought.
 * @param {string} path
 * @param {() => Exports} factory runs the module
 */
export function $define(path, factory) {
  if (!factories.has(path)) factories.set(path, factory);
}

/**
 * The exports of a module, which runs when it is first needed.
 * @param {string} path
 * @returns {Exports}
 */
export function $need(path) {
  const known = loaded.get(path);
  if (known !== undefined) return known;
  const factory = factories.get(path);
  if (factory === undefined) throw new TypeError(`no module ${path}`);
  const exports = factory();
  loaded.set(path, exports);
  return exports;
}

/**
 * As {@link $need}, for a module whose file may not be loaded yet.
 * @param {string} path
 * @returns {Promise<Exports>}
 */
export async function $load(path) {
  if (!factories.has(path)) await import(new URL(path, import.meta.url).href);
  return $need(path);
}
