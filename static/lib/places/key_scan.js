// @ts-check
/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { request } from "../api.js";
import { queryValue } from "../query_value.js";
import { bucketUrl } from "../browse/object_urls.js";

/** @import { SearchScope } from "./search_scope.js" */
/** @import { FoundObject } from "./search_stream.js" */

/** Pages of 1,000 keys that are listed before the user is asked whether to go on. */
const pagesAtOnce = 50;

/** Matches that are kept: memory must not grow with the bucket. */
export const maxMatches = 1000;

/**
 * How far a scan is. `paused`: it asks whether to go on. `full`: there are as many matches as are kept.
 *
 * @typedef {object} ScanState
 * @property {"running" | "paused" | "stopped" | "full" | "done" | "failed"} state
 * @property {number} scanned keys
 * @property {number | null} total keys that the bucket held when it was last counted; `null` when that is not known
 * @property {number} milliseconds that it took
 * @property {readonly FoundObject[]} matches
 * @property {string} error
 */

/** A search for the keys in a bucket or folder that contain a text, in any case, after the folder's own name. It lists page by page through the request scheduler. */
export class KeyScan {
  /** @type {import("@preact/signals").Signal<ScanState>} */
  progress = signal({ state: "stopped", scanned: 0, total: null, milliseconds: 0, matches: [], error: "" });
  #text;
  #scope;
  /** @type {string | undefined} */
  #token;
  /** @type {AbortController | null} */
  #running = null;

  /**
   * @param {string} text
   * @param {SearchScope} scope with a bucket
   */
  constructor(text, scope) {
    this.#text = text;
    this.#scope = scope;
  }

  /**
   * Whether this scan is for the same text in the same place.
   *
   * @param {string} text
   * @param {SearchScope} scope
   */
  isOf(text, { backend, bucket, prefix }) {
    const own = this.#scope;
    return text === this.#text && backend === own.backend && bucket === own.bucket && prefix === own.prefix;
  }

  /** Begins, or goes on where it was. Never rejects: what goes wrong is in `progress`. */
  async run() {
    const { state } = this.progress.peek();
    if (this.#running !== null || state === "done" || state === "full") return;
    const running = new AbortController();
    this.#running = running;
    this.#set({ state: "running", error: "" });
    if (this.#token === undefined) this.#askTotal(running.signal);
    try {
      for (let pages = 0; pages < pagesAtOnce; pages++) {
        const isLast = await this.#readPage(running.signal);
        if (running.signal.aborted) return;
        if (isLast) return this.#end("done");
        if (this.progress.peek().matches.length >= maxMatches) return this.#end("full");
      }
      this.#end("paused");
    } catch (error) {
      if (running.signal.aborted) return;
      this.#set({ error: error instanceof Error ? error.message : String(error) });
      this.#end("failed");
    }
  }

  /** Stops after what was listed so far; `run` goes on from there. */
  stop() {
    if (this.#running === null) return;
    this.#running.abort();
    this.#end("stopped");
  }

  /** @param {ScanState["state"]} state */
  #end(state) {
    this.#running = null;
    this.#set({ state });
  }

  /** @param {Partial<ScanState>} changes */
  #set(changes) {
    this.progress.value = { ...this.progress.peek(), ...changes };
  }

  /**
   * A folder of a bucket is not counted by itself.
   * @param {AbortSignal} signal
   */
  async #askTotal(signal) {
    const { backend, bucket, prefix } = this.#scope;
    if (prefix !== "") return;
    const options = /** @type {const} */ ({ priority: "prefetch", background: true, signal });
    const counted = await request("GET", `${bucketUrl(backend, bucket)}/quota`, options).catch(() => null);
    if (counted?.has_usage) this.#set({ total: counted.object_count });
  }

  /**
   * @param {AbortSignal} signal
   * @returns {Promise<boolean>} whether it was the last page
   */
  async #readPage(signal) {
    const { backend, bucket, prefix } = this.#scope;
    const after = this.#token === undefined ? "" : `&token=${encodeURIComponent(this.#token)}`;
    const path = `${bucketUrl(backend, bucket)}/objects?delimiter=&max_keys=1000&etags=false&prefix=${
      queryValue(prefix)
    }`;
    const begun = performance.now();
    const page = await request("GET", path + after, { priority: "visible", signal });
    const { scanned, milliseconds, matches } = this.progress.peek();
    const text = this.#text.toLowerCase();
    /** @type {FoundObject[]} */
    const found = page.objects
      .filter((/** @type {FoundObject} */ { key }) => key.slice(prefix.length).toLowerCase().includes(text))
      .map((/** @type {FoundObject} */ { key, size, last_modified }) => ({
        backend_id: backend,
        bucket,
        key,
        size,
        last_modified,
      }));
    if (signal.aborted) return false;
    this.#token = page.next_continuation_token;
    this.#set({
      scanned: scanned + page.objects.length,
      milliseconds: milliseconds + performance.now() - begun,
      matches: found.length === 0 ? matches : [...matches, ...found].slice(0, maxMatches),
    });
    return !page.is_truncated || this.#token === undefined;
  }
}
