// @ts-check
/// <reference lib="dom" />
import { request } from "../api.js";
import { currentPath } from "../base.js";
import { t } from "../i18n.js";
import { visit } from "../navigation.js";
import { destinationPage, readDestination } from "./destination.js";

/** The ids of the backends, as the rail links to them. */
export function backendIds() {
  return railLinks().map(backendOfLink);
}

/** The ids of the backends that are not known to be down. */
export function reachableBackendIds() {
  return railLinks().filter((link) => link.querySelector(".dot-bad") === null).map(backendOfLink);
}

function railLinks() {
  return [...document.querySelectorAll("#rail-backends a")];
}

/** @param {Element} link */
function backendOfLink(link) {
  return decodeURIComponent(link.getAttribute("href")?.split("/b/").at(-1) ?? "");
}

/**
 * Where a typed text leads from the page that is shown.
 * @param {string} typed
 */
export function destinationHere(typed) {
  const backends = backendIds();
  const here = /^\/b\/([^/]+)/.exec(currentPath())?.[1];
  const current = here === undefined ? null : decodeURIComponent(here);
  return readDestination(typed, { origin: location.origin, backends, current });
}

/**
 * Goes where a typed text leads. Of a bucket whose backend is not said, it is the one that has it: the open one before
 * others. Throws an `Error` that says why it leads nowhere.
 * @param {string} typed
 */
export async function goTo(typed) {
  const destination = destinationHere(typed);
  if (destination === null) throw new Error(t("palette.no_bucket_named"));
  if ("page" in destination) return await visit(destination.page);
  const backend = destination.backend ?? await backendOf(destination.bucket);
  await visit(destinationPage(backend, destination));
}

/**
 * @param {string} bucket
 * @returns {Promise<string>} the id of the backend that has it
 */
async function backendOf(bucket) {
  const backends = backendIds();
  if (backends.length === 1) return backends[0];
  const { buckets } = await request("GET", "/api/search", { query: { q: bucket, limit: 100 } });
  /** @type {string[]} */
  const having = buckets.filter((/** @type {any} */ found) => found.bucket === bucket)
    .map((/** @type {any} */ found) => found.backend_id);
  if (having.length === 0) throw new Error(t("palette.unknown_bucket", { bucket }));
  const open = backends.find((id) => currentPath().startsWith(`/b/${encodeURIComponent(id)}`));
  if (having.length === 1 || (open !== undefined && having.includes(open))) {
    return open !== undefined && having.includes(open) ? open : having[0];
  }
  const example = `${having[0]}/${bucket}`;
  throw new Error(t("palette.several_backends", { bucket, backends: having.join(", "), example }));
}
