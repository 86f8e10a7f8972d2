// @ts-check
import { signal } from "@preact/signals";
import { ApiError } from "../api.js";
import { bucketPage } from "../browse/object_urls.js";
import { folderOf, searchOf } from "../browse/address.js";
import { plural } from "../i18n.js";
import { soon } from "./filter.js";

/**
 * A share as the API shows it. Times are RFC 3339.
 *
 * @typedef {object} Share
 * @property {number} id
 * @property {string} url what the recipient is given
 * @property {string} backend_id
 * @property {string} bucket
 * @property {"object" | "folder"} kind
 * @property {string} key
 * @property {string | null} version_id
 * @property {"inline" | "attachment"} disposition
 * @property {string} note
 * @property {boolean} has_password
 * @property {number | null} max_downloads
 * @property {number} download_count
 * @property {string | null} last_download_at
 * @property {string} created_by
 * @property {string | null} created_by_name
 * @property {string} created_at
 * @property {string | null} expires_at
 * @property {"active" | "revoked" | "suspended" | "expired" | "exhausted"} state
 */

/** Counts up whenever a share was made or changed here, for lists that show it too. */
export const shareChanges = signal(0);

/**
 * A share's state as a badge says it.
 *
 * @param {Share} share
 * @param {number} now milliseconds since the epoch
 * @returns {{ kind: "ok" | "warn" | "neutral", word: string }}
 */
export function stateBadge({ state, expires_at }, now) {
  if (state === "revoked") return { kind: "neutral", word: "Revoked" };
  if (state === "suspended") return { kind: "warn", word: "Suspended" };
  if (state === "expired") return { kind: "neutral", word: "Expired" };
  if (state === "exhausted") return { kind: "neutral", word: "Used up" };
  return expires_at !== null && Date.parse(expires_at) - now < soon
    ? { kind: "warn", word: "Expires soon" }
    : { kind: "ok", word: "Active" };
}

/**
 * The last part of a share's key, as it is shown; a folder's without its slash, all of the key where that is empty.
 *
 * @param {Pick<Share, "key">} share
 */
export function nameOf({ key }) {
  const path = key.endsWith("/") ? key.slice(0, -1) : key;
  return path.slice(path.lastIndexOf("/") + 1) || key;
}

/**
 * The page of the dashboard that shows what is shared.
 *
 * @param {Share} share
 */
export function targetPage({ backend_id, bucket, kind, key }) {
  const place = kind === "folder" ? { prefix: key } : { prefix: folderOf(key), open: key };
  return bucketPage(backend_id, bucket) + searchOf(place);
}

/**
 * How often a share was and may be downloaded, in words.
 *
 * @param {Share} share
 */
export function downloadsText({ download_count, max_downloads }) {
  return max_downloads === null
    ? plural(download_count, "download", "downloads")
    : `${download_count} of ${plural(max_downloads, "download", "downloads")}`;
}

/**
 * Where the API keeps a share.
 *
 * @param {Pick<Share, "id">} share
 */
export function shareUrl({ id }) {
  return `/api/shares/${id}`;
}

/**
 * Why a share could not be made, changed or revoked.
 *
 * @param {unknown} error
 */
export function failureText(error) {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.code === "rate_limited") {
    const wait = error.retryAfter > 0 ? `in ${plural(error.retryAfter, "second", "seconds")}` : "in a moment";
    return `That was too much at once. Try again ${wait}.`;
  }
  if (error.status === 404) return `${error.serverMessage} It may have been deleted in the meantime.`;
  return error.message;
}

/**
 * Whether only this computer reaches an address.
 *
 * @param {string} url
 */
export function isLoopback(url) {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
