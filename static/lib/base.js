// @ts-check
/// <reference lib="dom" />

// Below which path of its host the program is, behind a proxy. Addresses are written as if it had the host to itself, such
// as `/b/main`. `base_links.js` completes those in the markup; anything else that hands one to the browser calls `withBase`.

let base = "";

/**
 * Says what the path is, before anything is drawn.
 * @param {string} path such as `/storage`, or empty
 */
export function setBase(path) {
  base = path;
}

/** That path, empty for none. */
export function basePath() {
  return base;
}

/**
 * An address of ours as browsers need it. One that is complete stays as it is: no path of ours begins with that path.
 * @param {string} address
 */
export function withBase(address) {
  return /^\/(?!\/)/.test(address) && !isBelowBase(address) ? base + address : address;
}

/**
 * A path as the program knows it; one of another program on the same host stays.
 * @param {string} path
 */
export function withoutBase(path) {
  return isBelowBase(path) ? path.slice(base.length) || "/" : path;
}

/**
 * Whether a path of this host is the program's, and not that of another program.
 * @param {string} path
 */
export function isBelowBase(path) {
  return `${path}/`.startsWith(`${base}/`);
}

/** The path of the page that is shown, as the program knows it. */
export function currentPath() {
  return withoutBase(location.pathname);
}
