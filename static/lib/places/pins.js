// @ts-check
/// <reference lib="dom" />
import { request } from "../api.js";
import { bucketPage } from "../browse/object_urls.js";
import { t } from "../i18n.js";
import { queryValue } from "../query_value.js";
import { searchPage } from "./search_scope.js";

/** @typedef {{ backend_id: string, bucket: string }} PlacedBucket */

/**
 * What can be pinned: a bucket, a folder of it, either as a filter shows it, or a search. A search over a whole backend, or
 * over everything, has no bucket.
 *
 * @typedef {PlacedBucket & { prefix?: string, filter?: string, search?: string }} Place
 */

/** @typedef {Place & { created_at: string }} Pin */

/**
 * Whether two entries mean the same bucket.
 *
 * @param {PlacedBucket} first
 * @param {PlacedBucket} second
 */
export function isSameBucket(first, second) {
  return first.backend_id === second.backend_id && first.bucket === second.bucket;
}

/**
 * Whether two entries mean the same place.
 *
 * @param {Place} first
 * @param {Place} second
 */
export function isSamePlace(first, second) {
  return isSameBucket(first, second) && (first.prefix ?? "") === (second.prefix ?? "") &&
    (first.filter ?? "") === (second.filter ?? "") && (first.search ?? "") === (second.search ?? "");
}

/**
 * Whether a place is a bucket as a whole.
 *
 * @param {Place} place
 */
export function isWholeBucket({ bucket, prefix, filter, search }) {
  return bucket !== "" && !prefix && !filter && !search;
}

/**
 * The page that shows a place.
 *
 * @param {Place} place
 */
export function placePage({ backend_id: backend, bucket, prefix = "", filter, search }) {
  if (search) return searchPage(search, { backend, bucket, prefix });
  const query = [prefix && `p=${queryValue(prefix)}`, filter && `q=${queryValue(filter)}`].filter(Boolean);
  return bucketPage(backend, bucket) + (query.length === 0 ? "" : `?${query.join("&")}`);
}

/**
 * A place in a few words: what is searched for or filtered by, else the name of the folder or bucket.
 *
 * @param {Place} place
 */
export function placeName({ bucket, prefix = "", filter, search }) {
  const text = search ?? filter;
  if (text) return t("places.quoted", { text });
  return /([^/]*)\/?$/.exec(prefix)?.[1] || prefix || bucket;
}

/**
 * Where a place is, to be read after its name.
 *
 * @param {Place} place
 * @param {string | undefined} backend its backend's name, if it is of one
 */
export function placeDetail(place, backend) {
  const { backend_id: id, bucket, prefix = "", filter, search } = place;
  const name = backend ?? id;
  if (isWholeBucket(place)) return name;
  if (bucket === "") return name || t("places.everything");
  const folder = filter || search ? prefix : prefix.replace(/[^/]*\/?$/, "");
  return `${bucket}/${folder}`.replace(/\/$/, "") + ` · ${name}`;
}

/**
 * The icon for a place.
 *
 * @param {Place} place
 */
export function placeIcon({ prefix, filter, search }) {
  if (search) return "search";
  if (filter) return "filter";
  return prefix ? "folder" : "bucket";
}

/**
 * Pins a place for the user. Rejects with an `ApiError`.
 *
 * @param {Place} place
 * @returns {Promise<Pin>}
 */
export async function pinPlace({ backend_id, bucket, prefix, filter, search }) {
  const pin = await request("POST", "/api/me/pins", {
    json: { backend_id, bucket, prefix, filter, search },
  });
  showInRail();
  return pin;
}

/**
 * Takes a pin away. Rejects with an `ApiError`.
 *
 * @param {Place} place
 */
export async function unpinPlace({ backend_id, bucket, prefix, filter, search }) {
  if (bucket === "") await request("DELETE", "/api/me/pins", { query: { backend_id, search } });
  else {
    const path = `/api/me/pins/${encodeURIComponent(backend_id)}/${encodeURIComponent(bucket)}`;
    await request("DELETE", path, { query: { prefix, filter, search } });
  }
  showInRail();
}

/** Brings the rail up to date; without that, the next page does. */
function showInRail() {
  import("./rail_pins.js").then(({ drawRailPins }) => drawRailPins()).catch(() => {});
}
