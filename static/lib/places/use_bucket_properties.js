// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "../api.js";

/**
 * How a bucket is set up, as `GET …/bucket-properties` tells. What the backend does not tell is absent.
 *
 * @typedef {object} BucketProperties
 * @property {string} name
 * @property {string} [region]
 * @property {"enabled" | "suspended" | "off"} [versioning]
 * @property {boolean} [object_lock]
 * @property {"public" | "conditional" | "private"} [public_access] what its policy allows to everyone
 * @property {string} [read_at] when the backend was asked
 */

/** Buckets of one request: as many as the API takes. */
const maxAtOnce = 25;

/**
 * Asks how buckets are set up once their rows come into view, some at a time: the backend is asked several times for each.
 *
 * @param {string} backend id
 * @param {readonly string[]} names of the rows, which have them as `data-bucket`
 * @returns {ReadonlyMap<string, BucketProperties>} what is known so far; buckets that could not be asked about have nothing
 *   but their name
 */
export function useBucketProperties(backend, names) {
  const [known, setKnown] = useState(/** @type {ReadonlyMap<string, BucketProperties>} */ (new Map()));
  const asked = useRef(/** @type {Set<string>} */ (new Set()));
  const queue = useRef(/** @type {BackendQueue | null} */ (null));
  useEffect(() => {
    const current = new BackendQueue(backend, (found) =>
      setKnown((before) => {
        const after = new Map(before);
        for (const properties of found) after.set(properties.name, properties);
        return after;
      }));
    queue.current = current;
    return () => current.stop();
  }, [backend]);
  useEffect(() => {
    // A bucket that is made anew under an old name may be another.
    for (const name of asked.current) if (!names.includes(name)) asked.current.delete(name);
    const observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        const name = /** @type {HTMLElement} */ (target).dataset.bucket ?? "";
        if (!isIntersecting || asked.current.has(name)) continue;
        asked.current.add(name);
        queue.current?.add(name);
      }
    });
    for (const row of document.querySelectorAll("tr[data-bucket]")) observer.observe(row);
    return () => observer.disconnect();
  }, [names.join("/")]);
  return known;
}

/** What is still to be asked of a backend: one request at a time. */
class BackendQueue {
  #backend;
  #onFound;
  #controller = new AbortController();
  /** @type {string[]} */
  #waiting = [];
  #running = false;

  /**
   * @param {string} backend id
   * @param {(found: BucketProperties[]) => void} onFound
   */
  constructor(backend, onFound) {
    this.#backend = backend;
    this.#onFound = onFound;
  }

  /** @param {string} name */
  add(name) {
    this.#waiting.push(name);
    // Rows that come into view together are asked about together.
    queueMicrotask(() => this.#run());
  }

  stop() {
    this.#controller.abort();
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    const { signal } = this.#controller;
    while (this.#waiting.length > 0 && !signal.aborted) {
      const names = this.#waiting.splice(0, maxAtOnce);
      const path = `/api/backends/${encodeURIComponent(this.#backend)}/bucket-properties`;
      try {
        const query = { buckets: names.join(",") };
        const { buckets } = await request("GET", path, {
          query,
          priority: "visible",
          background: true,
          signal,
        });
        this.#onFound(buckets);
      } catch {
        // The list itself stays; its cells say that this is not known.
        if (!signal.aborted) this.#onFound(names.map((name) => ({ name })));
      }
    }
    this.#running = false;
  }
}
