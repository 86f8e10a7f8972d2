// @ts-check
/// <reference lib="dom" />
import { ApiError } from "../api.js";
import { contentTypeOf } from "../details/content_types.js";
import { errorText } from "../error_texts.js";
import { t } from "../i18n.js";
import { partSizeFor, partsOf, wholeLimit } from "./part_plan.js";
import { sendParts } from "./part_sender.js";
import { BucketUploads, failureOf } from "./storage_api.js";

/** @import { Lanes } from "./lanes.js" */
/** @import { SendOptions } from "./queue.js" */
/** @import { Outcome } from "./retry.js" */
/** @import { StoreOptions } from "./storage_api.js" */
/** @import { Batch, PartedUpload, Upload } from "./upload.js" */

/** Files above so many bytes are sent only after a look whether their name is taken: a refusal would come too late. */
const lookFirst = 1024 * 1024;

/** Milliseconds by which the clocks of browser and storage may differ. */
const clockTolerance = 5 * 60_000;

/**
 * @typedef {object} SenderParts
 * @property {Lanes} lanes
 * @property {() => number} rate bytes per second that the line carried lately
 * @property {(upload: Upload, begun: PartedUpload, contentType: string) => Promise<void>} onBegun told when an upload in
 *   parts has begun on the server
 * @property {(upload: Upload) => Promise<void>} onAborted told when the server has no parts of an upload any more
 */

/** Stores files by the API: small ones whole, large ones in parts. */
export class Sender {
  #parts;

  /** @param {SenderParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * Stores a file, or goes on with it.
   * @param {Upload} upload
   * @param {SendOptions} options
   * @returns {Promise<Outcome>} never rejects
   */
  async send(upload, options) {
    try {
      const outcome = await this.#store(upload, options);
      const { code = "network", message = "", detail } = outcome;
      if (outcome.status === 0 && upload.file !== null && !await isReadable(upload.file)) {
        return { status: 400, message: t("upload.error_unreadable") };
      }
      return outcome.status < 300 && outcome.status > 0
        ? outcome
        : { ...outcome, message: errorText({ code, message, detail }) };
    } catch (error) {
      if (error instanceof ApiError) return failureOf(error);
      return { status: 0, message: errorText({ code: "network", message: "" }) };
    }
  }

  /**
   * Throws away what the server has of an upload in parts.
   * @param {Upload} upload
   */
  async drop(upload) {
    const { parted, batch } = upload;
    if (parted === null) return;
    upload.parted = null;
    await new BucketUploads(batch.backend, batch.bucket).abort(parted);
    await this.#parts.onAborted(upload);
  }

  /**
   * @param {Upload} upload
   * @param {SendOptions} options
   * @returns {Promise<Outcome>}
   */
  async #store(upload, options) {
    const { batch, file, key } = upload;
    const api = new BucketUploads(batch.backend, batch.bucket);
    if (file === null) {
      await api.createFolder(key, options.signal);
      return { status: 201 };
    }
    return file.size > wholeLimit
      ? await this.#storeInParts(api, upload, file, options)
      : await this.#storeWhole(api, upload, file, options);
  }

  /**
   * @param {BucketUploads} api
   * @param {Upload} upload
   * @param {Blob} file
   * @param {SendOptions} options
   * @returns {Promise<Outcome>}
   */
  async #storeWhole(api, { batch, key }, file, { ifAbsent, signal, onProgress }) {
    if (ifAbsent && file.size > lookFirst && await api.find(key, signal) !== null) {
      return { status: 409, code: "object_exists" };
    }
    const release = await this.#parts.lanes.take(signal);
    const how = { ...storeOptions(batch, key, file), ifAbsent };
    const outcome = await api.storeWhole(key, file, { ...how, signal, onProgress });
    release();
    if (outcome.status === 429 || outcome.status === 503) this.#parts.lanes.slowDown();
    else if (outcome.status === 201) this.#parts.lanes.noteSuccess();
    return outcome;
  }

  /**
   * @param {BucketUploads} api
   * @param {Upload} upload
   * @param {Blob} file
   * @param {SendOptions} options
   * @returns {Promise<Outcome>}
   */
  async #storeInParts(api, upload, file, options) {
    try {
      return await this.#goOn(api, upload, file, options);
    } catch (error) {
      // Only the upload can be missing here: a bucket that is gone is noticed when it begins anew.
      if (!(error instanceof ApiError) || error.status !== 404 || upload.parted === null) throw error;
      upload.parted = null;
      upload.restarted = true;
      await this.#parts.onAborted(upload);
      return await this.#goOn(api, upload, file, options);
    }
  }

  /**
   * @param {BucketUploads} api
   * @param {Upload} upload
   * @param {Blob} file
   * @param {SendOptions} options
   * @returns {Promise<Outcome>}
   */
  async #goOn(api, upload, file, { ifAbsent, signal, onProgress, hold }) {
    const { key, batch } = upload;
    // Parts are stored for a key: with another one, they have to be sent again.
    if (upload.parted !== null && upload.parted.key !== key) await this.drop(upload);
    const parted = upload.parted ?? await this.#begin(api, upload, file, { ifAbsent, signal });
    parted.stored ??= await api.listParts(parted, signal);
    const { stored } = parted;
    const outcome = await sendParts({
      parts: partsOf(file.size, parted.partSize),
      stored,
      lanes: this.#parts.lanes,
      sendPart: (part, sending) => api.storePart(parted, part, file, sending),
      hold,
      pause,
      random: Math.random,
      onProgress,
      signal,
    });
    if (outcome.status === 404) {
      throw new ApiError({ status: 404, code: "not_found", text: outcome.message ?? "" });
    }
    if (outcome.status !== 200) return outcome;
    const begunAt = Date.now();
    const size = await api.complete(parted, stored, { ifAbsent, signal })
      .catch((error) => this.#sizeIfComplete(error, api, { key, size: file.size, since: begunAt, signal }));
    if (size !== file.size) return { status: 400, message: t("upload.error_size", { bucket: batch.bucket }) };
    upload.parted = null;
    return { status: 200 };
  }

  /**
   * @param {BucketUploads} api
   * @param {Upload} upload
   * @param {Blob} file
   * @param {{ ifAbsent: boolean, signal: AbortSignal }} options
   */
  async #begin(api, upload, file, { ifAbsent, signal }) {
    const how = storeOptions(upload.batch, upload.key, file);
    const uploadId = await api.begin(upload.key, { ...how, ifAbsent, signal });
    const partSize = partSizeFor(file.size, this.#parts.rate());
    /** @type {PartedUpload} */
    const begun = { key: upload.key, uploadId, partSize, stored: new Map() };
    upload.parted = begun;
    await this.#parts.onBegun(upload, begun, how.contentType);
    return begun;
  }

  /**
   * Looks whether an upload was completed although the answer says that there is none: the answer to an earlier try may
   * have been lost. Throws the error when it was not.
   * @param {unknown} error
   * @param {BucketUploads} api
   * @param {{ key: string, size: number, since: number, signal: AbortSignal }} expected
   * @returns {Promise<number>} bytes
   */
  async #sizeIfComplete(error, api, { key, size, since, signal }) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    const found = await api.find(key, signal);
    const fresh = found !== null && Date.parse(found.last_modified) > since - clockTolerance;
    if (!fresh || found.size !== size) throw error;
    return size;
  }
}

/**
 * What browsers do not know the type of, goes by its name.
 * @param {Batch} batch
 * @param {string} key
 * @param {Blob} file
 * @returns {StoreOptions}
 */
function storeOptions({ contentType, storageClass, tags }, key, file) {
  const ownType = file.type || (contentTypeOf(key) ?? "application/octet-stream");
  return { contentType: contentType || ownType, storageClass, tags };
}

/** @param {Blob} file */
async function isReadable(file) {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(end, milliseconds);
    function end() {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    }
    signal.addEventListener("abort", end, { once: true });
  });
}
