// @ts-check
/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { differenceOf, fingerprint } from "./fingerprint.js";
import { BucketUploads } from "./storage_api.js";
import { forgetUpload, rememberedUploads, rememberUpload } from "./store.js";

/** @import { FileFacts } from "./fingerprint.js" */
/** @import { UploadRow } from "./store.js" */
/** @import { NewUpload, PartedUpload, Upload } from "./upload.js" */

/** @typedef {NonNullable<ReturnType<typeof differenceOf>>} Difference */

/** Of another file than the one that is remembered. */
export class WrongFile extends Error {
  /** @param {Difference} difference */
  constructor(difference) {
    super(`another ${difference}`);
    this.name = "WrongFile";
    this.difference = difference;
  }
}

/** The uploads in parts that a page has begun and not ended, such as one that was closed: a user's own on this browser. */
export class UnfinishedUploads {
  /** Those that no page goes on with, oldest first. */
  rows = signal(/** @type {readonly UploadRow[]} */ ([]));
  #userId;
  /** Lets go of the locks by which other tabs know that an upload goes on here. @type {Map<string, () => void>} */
  #locks = new Map();

  /** @param {string} userId */
  constructor(userId) {
    this.#userId = userId;
  }

  /** Looks what there is. */
  async refresh() {
    const rows = await rememberedUploads(this.#userId);
    const { held = [] } = await navigator.locks?.query() ?? {};
    const active = new Set(held.map(({ name }) => name));
    this.rows.value = rows.filter(({ id }) => !this.#locks.has(id) && !active.has(lockName(id)));
  }

  /**
   * Remembers an upload that has begun, so that it can go on after a reload.
   * @param {Upload} upload
   * @param {PartedUpload} begun
   * @param {string} contentType
   */
  async remember(upload, begun, contentType) {
    const { batch, file, handle } = upload;
    if (!(file instanceof File)) return;
    upload.rowId ||= crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    const id = upload.rowId;
    this.#lock(id);
    await rememberUpload({
      ...await factsOf(file),
      id,
      userId: this.#userId,
      backend: batch.backend,
      bucket: batch.bucket,
      prefix: batch.prefix,
      key: begun.key,
      uploadId: begun.uploadId,
      partSize: begun.partSize,
      contentType,
      storageClass: batch.storageClass,
      tags: batch.tags,
      replace: upload.choice === "replace",
      begunAt: Date.now(),
      handle,
    });
    // It may have ended meanwhile.
    if (upload.parted !== begun) await this.forget(upload);
  }

  /** @param {Upload} upload */
  async forget({ rowId }) {
    if (rowId === "") return;
    this.#locks.get(rowId)?.();
    this.#locks.delete(rowId);
    await forgetUpload(rowId);
  }

  /**
   * The file of an upload, where the browser finds it again and the user lets it.
   * @param {UploadRow} row
   * @returns {Promise<File | null>}
   */
  async findFile({ handle }) {
    const known = /** @type {any} */ (handle);
    if (known === null) return null;
    try {
      const options = { mode: "read" };
      if (await known.queryPermission(options) !== "granted") {
        if (await known.requestPermission(options) !== "granted") return null;
      }
      return await known.getFile();
    } catch {
      return null;
    }
  }

  /**
   * Takes an upload up again with its file. Throws {@link WrongFile} for another one.
   * @param {UploadRow} row
   * @param {File} file
   * @returns {Promise<NewUpload>}
   */
  async takeUp(row, file) {
    const difference = differenceOf(row, await factsOf(file));
    if (difference !== null) throw new WrongFile(difference);
    const { id, key, uploadId, partSize, handle } = row;
    this.#lock(id);
    this.rows.value = this.rows.value.filter((other) => other.id !== id);
    return { file, key, handle, rowId: id, parted: { key, uploadId, partSize, stored: null } };
  }

  /**
   * Throws an upload away, and what the server has of it.
   * @param {UploadRow} row
   */
  async discard({ id, backend, bucket, key, uploadId }) {
    await new BucketUploads(backend, bucket).abort({ key, uploadId });
    await forgetUpload(id);
    this.rows.value = this.rows.value.filter((other) => other.id !== id);
  }

  /** @param {string} id */
  #lock(id) {
    if (this.#locks.has(id)) return;
    const { promise, resolve } = Promise.withResolvers();
    this.#locks.set(id, () => resolve(undefined));
    navigator.locks?.request(lockName(id), () => promise);
  }
}

/** @param {string} id */
function lockName(id) {
  return `upload ${id}`;
}

/**
 * @param {File} file
 * @returns {Promise<FileFacts>}
 */
async function factsOf(file) {
  const { name, size, lastModified } = file;
  return { name, size, lastModified, fingerprint: await fingerprint(file) };
}
