// @ts-check
/// <reference lib="dom" />
import { wholeLimit } from "./part_plan.js";
import { BucketUploads } from "./storage_api.js";
import { findTaken } from "./taken_names.js";

/** @import { Batch, NewUpload } from "./upload.js" */
/** @import { FoundFile } from "./walk.js" */

/** More files or bytes than this are shown before anything is sent. */
const maxUnshownFiles = 20;
const maxUnshownBytes = 2 ** 30;

/** Pages of listings, and milliseconds, for a look whether names are taken before little is sent. */
const lookPages = 2;
const lookTime = 3000;

/**
 * Files that were dropped, picked or pasted, and where they are to go. `ask` is set where the user wants to say how they are
 * stored.
 * @typedef {{ backend: string, bucket: string, prefix: string, found: readonly FoundFile[], ask?: boolean }} Intake
 */

/**
 * How files are to be stored.
 * @typedef {Pick<Batch, "choice" | "contentType" | "storageClass" | "tags"> & { taken: ReadonlySet<string> }} BatchOptions
 */

/** @type {BatchOptions} */
const asTheyAre = { choice: null, contentType: "", storageClass: "", tags: {}, taken: new Set() };

/**
 * Asks the user about much, about what will not fit, about several files of which some have names that are taken, and where
 * they want to be asked; little is stored at once.
 * @param {Intake} intake
 * @returns {Promise<BatchOptions | null>} `null` when the user does not want it after all
 */
export async function reviewed(intake) {
  const { found, ask = false } = intake;
  const bytes = bytesOf(found);
  if (!ask && found.length <= maxUnshownFiles && bytes <= maxUnshownBytes) {
    const [isRoom, isClash] = await Promise.all([fits(intake, bytes), clash(intake)]);
    if (isRoom && !isClash) return asTheyAre;
  }
  const { askBeforeUpload } = await import("./preflight_dialog.js");
  return await askBeforeUpload(intake);
}

/**
 * The bytes of files.
 * @param {readonly FoundFile[]} found
 */
export function bytesOf(found) {
  return found.reduce((sum, { file }) => sum + (file?.size ?? 0), 0);
}

/**
 * The uploads of an intake. Of files whose names are known to be taken, those that are to be skipped are so at once.
 * @param {Intake} intake
 * @param {BatchOptions} options
 * @returns {NewUpload[]}
 */
export function uploadsOf({ prefix, found }, { choice, taken }) {
  return found.map(({ file, path, handle = null }) => {
    const key = prefix + path;
    return { file, key, handle, state: choice === "skip" && taken.has(key) ? "skipped" : "waiting" };
  });
}

/**
 * Whether the bucket's quota has room, as far as is known. Small files are not looked at: the server refuses them at once.
 * @param {Intake} intake
 * @param {number} bytes
 */
async function fits({ backend, bucket }, bytes) {
  if (bytes <= wholeLimit) return true;
  const room = await roomIn(new BucketUploads(backend, bucket)).catch(() => null);
  return room === null || bytes <= room;
}

/**
 * Whether names are taken, as far as a short look shows. Of a single file one is asked when the server refuses it.
 * @param {Intake} intake
 */
async function clash({ backend, bucket, prefix, found }) {
  const keys = found.filter(({ file }) => file !== null).map(({ path }) => prefix + path);
  if (keys.length < 2) return false;
  const api = new BucketUploads(backend, bucket);
  const look = findTaken(api, keys, AbortSignal.timeout(lookTime), lookPages);
  return await look.then(({ taken }) => taken.size > 0, () => false);
}

/**
 * The bytes that a bucket may still hold; `null` when nothing limits them.
 * @param {BucketUploads} api
 * @param {AbortSignal} [signal]
 */
export async function roomIn(api, signal) {
  const { configured, hard_bytes, usage_bytes, has_usage } = await api.quota(signal);
  return configured && hard_bytes > 0 && has_usage ? Math.max(0, hard_bytes - usage_bytes) : null;
}
