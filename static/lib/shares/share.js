// @ts-check
import { signal } from "@preact/signals";
import { ApiError } from "../api.js";
import { bucketPage } from "../browse/object_urls.js";
import { folderOf, searchOf } from "../browse/address.js";
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { soon } from "./filter.js";

/**
 * A share as the API shows it. Times are RFC 3339.
 *
 * @typedef {object} Share
 * @property {number} id
 * @property {string} url what the recipient is given
 * @property {string} backend_id
 * @property {string} bucket
 * @property {"object" | "folder" | "selection" | "upload"} kind
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
 * @property {number} [key_count] of a selection: how many objects and folders it has
 * @property {UploadRequest} [upload] of a link for uploads
 */

/**
 * What may be, and has been, sent by a link for uploads. Sizes are bytes.
 *
 * @typedef {object} UploadRequest
 * @property {string} title
 * @property {string} message
 * @property {number} max_uploads
 * @property {number} max_bytes
 * @property {number | null} max_file_bytes
 * @property {boolean} keep_folders
 * @property {number} upload_count
 * @property {number} uploaded_bytes
 * @property {string | null} last_upload_at
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
  if (state === "revoked") return { kind: "neutral", word: t("shares.state_revoked") };
  if (state === "suspended") return { kind: "warn", word: t("shares.state_suspended") };
  if (state === "expired") return { kind: "neutral", word: t("shares.state_expired") };
  if (state === "exhausted") return { kind: "neutral", word: t("shares.state_exhausted") };
  return expires_at !== null && Date.parse(expires_at) - now < soon
    ? { kind: "warn", word: t("shares.state_expiring") }
    : { kind: "ok", word: t("shares.state_active") };
}

/**
 * The last part of a key, as it is shown; a folder's without its slash, all of the key where that is empty.
 *
 * @param {{ key: string }} place
 */
export function nameOf({ key }) {
  const path = key.endsWith("/") ? key.slice(0, -1) : key;
  return path.slice(path.lastIndexOf("/") + 1) || key;
}

/**
 * What a share is called: after what it is of, or as it asks for files.
 *
 * @param {Share} share
 */
export function shareName({ kind, key, bucket, key_count = 0, upload }) {
  if (kind === "selection") return t("shares.items", { n: key_count });
  return upload?.title || nameOf({ key: key === "" ? bucket : key });
}

/**
 * The icon of a share that is not of one object.
 *
 * @param {Share} share
 */
export function shareIcon({ kind }) {
  if (kind === "upload") return "upload";
  return kind === "selection" ? "list" : "folder";
}

/**
 * The page of the dashboard that shows what is shared.
 *
 * @param {Share} share
 */
export function targetPage({ backend_id, bucket, kind, key }) {
  const place = kind === "object" ? { prefix: folderOf(key), open: key } : { prefix: key };
  return bucketPage(backend_id, bucket) + searchOf(place);
}

/**
 * How much of a share's time is left, from 0 to 1; 1 for one that never ends.
 *
 * @param {Pick<Share, "created_at" | "expires_at">} share
 * @param {number} now milliseconds since the epoch
 */
export function lifeLeft({ created_at, expires_at }, now) {
  if (expires_at === null) return 1;
  const [start, end] = [Date.parse(created_at), Date.parse(expires_at)];
  return end <= start ? 0 : Math.min(1, Math.max(0, (end - now) / (end - start)));
}

/**
 * How often a share was and may be downloaded, or what has been sent by it, in words.
 *
 * @param {Share} share
 */
export function usesText({ download_count, max_downloads, upload }) {
  if (upload !== undefined) {
    const { upload_count: count, max_uploads, uploaded_bytes } = upload;
    return t("shares.uploads_of", { count, n: max_uploads, size: formatBytes(uploaded_bytes) });
  }
  return max_downloads === null
    ? t("shares.downloads", { n: download_count })
    : t("shares.downloads_of", { count: download_count, n: max_downloads });
}

/**
 * The link that downloads what is shared at once, a folder or a selection as a zip file. Without a password only: nobody could enter it.
 *
 * @param {Pick<Share, "url" | "kind">} share
 */
export function directUrl({ url, kind }) {
  return `${url}/${kind === "object" ? "raw" : "zip"}`;
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
 * Why a share could not be made, changed or revoked, where the failure's own words do not say it well; else empty.
 *
 * @param {unknown} error
 */
export function failureText(error) {
  if (!(error instanceof ApiError)) return "";
  if (error.code === "rate_limited") {
    return error.retryAfter > 0
      ? t("shares.too_many_seconds", { n: error.retryAfter })
      : t("shares.too_many");
  }
  if (error.status === 404) return t("shares.gone", { message: error.message });
  return "";
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
