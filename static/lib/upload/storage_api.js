// @ts-check
/// <reference lib="dom" />
import { ApiError, forgetToken, ownToken, request, scheduler, sessionEnded } from "../api.js";
import { bucketUrl } from "../browse/object_urls.js";
import { queryValue } from "../query_value.js";
import { Scheduler } from "../scheduler.js";
import { sendContent } from "./send.js";

/** @import { Part, StoredPart } from "./part_plan.js" */
/** @import { Outcome } from "./retry.js" */

/** @typedef {{ signal: AbortSignal, onProgress: (sent: number) => void }} Sending */

/** @typedef {{ key: string, size: number, last_modified: string }} StoredObject */

/**
 * How an object is stored: `storageClass` is empty for the backend's usual one.
 * @typedef {{ contentType: string, storageClass: string, tags: Readonly<Record<string, string>> }} StoreOptions
 */

/**
 * Paces the parts, on its own: the page's requests do not wait behind them. Of the 600 requests a minute that the API
 * grants, half are left to the rest.
 */
const partScheduler = new Scheduler(undefined, { rate: 5, burst: 192 });

/** The part of the API that uploads into one bucket. */
export class BucketUploads {
  #base;

  /**
   * @param {string} backend its id
   * @param {string} bucket
   */
  constructor(backend, bucket) {
    this.#base = bucketUrl(backend, bucket);
  }

  /**
   * Stores a file in one request.
   * @param {string} key
   * @param {Blob} file
   * @param {Sending & StoreOptions & { ifAbsent: boolean }} options
   * @returns {Promise<Outcome>} never rejects
   */
  async storeWhole(key, file, { contentType, storageClass, tags, ifAbsent, ...sending }) {
    const tagging = new URLSearchParams({ ...tags }).toString();
    const query = [
      `key=${queryValue(key)}`,
      ifAbsent && "if_absent=true",
      storageClass && `storage_class=${encodeURIComponent(storageClass)}`,
      tagging && `tagging=${encodeURIComponent(tagging)}`,
    ];
    const url = `${this.#base}/object?${query.filter(Boolean).join("&")}`;
    return await this.#send("POST", url, file, contentType, sending);
  }

  /**
   * Stores a part.
   * @param {{ key: string, uploadId: string }} upload
   * @param {Part} part
   * @param {Blob} file the whole one
   * @param {Sending} sending
   * @returns {Promise<Outcome & { etag?: string }>} never rejects
   */
  async storePart(upload, { number, start, end }, file, sending) {
    const url = `${this.#base}/multipart/parts/${number}?${uploadQuery(upload)}`;
    const content = file.slice(start, end);
    const { answer, ...outcome } = await this.#send(
      "PUT",
      url,
      content,
      "application/octet-stream",
      sending,
    );
    return { ...outcome, etag: answer?.etag };
  }

  /**
   * Begins an upload in parts. Throws `ApiError`, with `object_exists` when the name must be free but is not.
   * @param {string} key
   * @param {StoreOptions & { ifAbsent: boolean, signal: AbortSignal }} options
   * @returns {Promise<string>} its id
   */
  async begin(key, { contentType, storageClass, tags, ifAbsent, signal }) {
    const json = {
      content_type: contentType,
      storage_class: storageClass || undefined,
      tags,
      if_absent: ifAbsent,
    };
    const { upload_id } = await this.#request("POST", `/multipart?key=${queryValue(key)}`, { json, signal });
    return upload_id;
  }

  /**
   * The parts that the server has. Throws `ApiError`, with status 404 when it does not know of the upload.
   * @param {{ key: string, uploadId: string }} upload
   * @param {AbortSignal} [signal]
   * @returns {Promise<Map<number, StoredPart>>} by number
   */
  async listParts(upload, signal) {
    const { parts } = await this.#request("GET", `/multipart/parts?${uploadQuery(upload)}`, { signal });
    return new Map(
      parts.map((/** @type {any} */ { part_number, etag, size }) => [part_number, { etag, size }]),
    );
  }

  /**
   * Makes an object of the parts. Throws `ApiError`.
   * @param {{ key: string, uploadId: string }} upload
   * @param {ReadonlyMap<number, StoredPart>} stored
   * @param {{ ifAbsent: boolean, signal: AbortSignal }} options
   * @returns {Promise<number>} its size in bytes
   */
  async complete(upload, stored, { ifAbsent, signal }) {
    const parts = [...stored].sort(([a], [b]) => a - b)
      .map(([number, { etag }]) => ({ part_number: number, etag }));
    const json = { parts, if_absent: ifAbsent };
    const path = `/multipart/complete?${uploadQuery(upload)}`;
    const { size } = await this.#request("POST", path, { json, signal });
    return size;
  }

  /**
   * Throws an upload in parts away.
   * @param {{ key: string, uploadId: string }} upload
   */
  async abort(upload) {
    try {
      await this.#request("DELETE", `/multipart?${uploadQuery(upload)}`, {});
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }

  /**
   * What is stored under a key, or `null`.
   * @param {string} key
   * @param {AbortSignal} [signal]
   * @returns {Promise<StoredObject | null>}
   */
  async find(key, signal) {
    // Among the keys that begin with it, it is the first one.
    const { objects } = await this.#request(
      "GET",
      `/objects?max_keys=1&delimiter=&prefix=${queryValue(key)}`,
      { signal },
    );
    return objects[0]?.key === key ? objects[0] : null;
  }

  /**
   * A page of a folder: its objects and the folders in it.
   * @param {string} prefix
   * @param {{ token?: string, signal?: AbortSignal }} options
   * @returns {Promise<{ objects: StoredObject[], common_prefixes: string[], next_continuation_token?: string }>}
   */
  async list(prefix, { token, signal }) {
    const next = token === undefined ? "" : `&token=${encodeURIComponent(token)}`;
    return await this.#request("GET", `/objects?prefix=${queryValue(prefix)}${next}`, { signal });
  }

  /**
   * What the bucket may hold and does hold.
   * @param {AbortSignal} [signal]
   * @returns {Promise<{ configured: boolean, hard_bytes: number, usage_bytes: number, has_usage: boolean }>}
   */
  async quota(signal) {
    return await this.#request("GET", "/quota", { signal });
  }

  /**
   * @param {string} key ends in `/`
   * @param {AbortSignal} signal
   */
  async createFolder(key, signal) {
    await this.#request("POST", "/objects/folder", { json: { key }, signal });
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {import("../api.js").RequestOptions} options
   */
  async #request(method, path, options) {
    for (let tries = 1;; tries++) {
      const token = method === "GET" ? "" : await ownToken({ background: true });
      if (token === null) throw sessionEnded();
      const headers = token === "" ? undefined : { "x-csrf-token": token };
      try {
        return await request(method, this.#base + path, { priority: "visible", headers, ...options });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "csrf_invalid" || tries > 1) throw error;
        forgetToken();
      }
    }
  }

  /**
   * @param {"POST" | "PUT"} method
   * @param {string} url
   * @param {Blob} content
   * @param {string} contentType
   * @param {Sending} sending
   * @returns {Promise<Outcome & { answer?: any }>}
   */
  async #send(method, url, content, contentType, { signal, onProgress }) {
    const pace = method === "PUT" ? partScheduler : scheduler;
    /** @type {string | null} */
    let token;
    try {
      await pace.slot("visible", signal);
      token = await ownToken({ background: true });
    } catch (error) {
      return error instanceof ApiError ? failureOf(error) : { status: 0 };
    }
    // Somebody else has signed in with this browser: to the uploads of this page, it is as if nobody had.
    if (token === null) return failureOf(sessionEnded());
    const outcome = await sendContent(method, url, content, {
      headers: { "content-type": contentType, "x-csrf-token": token },
      signal,
      onProgress,
    });
    if (outcome.code === "csrf_invalid") forgetToken();
    if (outcome.wait) pace.pause(outcome.wait);
    return outcome;
  }
}

/**
 * An error of the API as the outcome of what was sent.
 * @param {ApiError} error
 * @returns {Outcome}
 */
export function failureOf({ status, code, message, retryAfter }) {
  return { status, code, message, retryAfter: retryAfter || undefined };
}

/** @param {{ key: string, uploadId: string }} upload */
function uploadQuery({ key, uploadId }) {
  return `key=${queryValue(key)}&upload_id=${encodeURIComponent(uploadId)}`;
}
