// @ts-check
/// <reference lib="dom" />
import { ApiError, request } from "../api.js";
import { withBase } from "../base.js";
import { changedPlaces, hasEnded } from "./job.js";

/** @import { Job } from "./job.js" */

/** Streams that are open at once: over HTTP/1.1 a browser has six connections to a server, which others need too. */
const maxStreams = 2;

/** Milliseconds between two looks at a job without a stream, and the most after looks that failed. */
const pollPause = 2000;
const maxPollPause = 15_000;

/** @typedef {{ onChange: (job: Job) => void, onLost: (error: ApiError) => void }} Watcher */

/** The jobs that are followed, each once, however many parts of the page want to know. @type {Map<string, WatchedJob>} */
const watched = new Map();

let streams = 0;

/**
 * Follows a job: by server-sent events, or where these do not get through by asking every two seconds while the page is
 * visible. The last call has the ended job with its failures. When objects were changed, the window gets an `objects-changed` for each place.
 *
 * @param {string} id
 * @param {(job: Job) => void} onChange
 * @param {(error: ApiError) => void} [onLost] called when the job can no longer be seen
 * @returns {() => void} stops following; the job goes on
 */
export function watchJob(id, onChange, onLost = () => {}) {
  const job = watched.get(id) ?? new WatchedJob(id);
  const watcher = { onChange, onLost };
  job.add(watcher);
  return () => job.remove(watcher);
}

/**
 * Resolves with a job once it has ended. Rejects when it can no longer be seen.
 *
 * @param {string} id
 * @param {(job: Job) => void} [onProgress]
 * @returns {Promise<Job>}
 */
export function jobEnd(id, onProgress = () => {}) {
  return new Promise((resolve, reject) => {
    watchJob(id, (job) => hasEnded(job) ? resolve(job) : onProgress(job), reject);
  });
}

class WatchedJob {
  /** @type {Set<Watcher>} */
  #watchers = new Set();
  /** @type {EventSource | null} */
  #source = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Job | null} */
  #last = null;
  #stopped = false;
  #id;

  /** @param {string} id */
  constructor(id) {
    this.#id = id;
    watched.set(id, this);
    if (streams < maxStreams) this.#stream();
    else this.#poll(pollPause);
  }

  /** @param {Watcher} watcher */
  add(watcher) {
    this.#watchers.add(watcher);
    const last = this.#last;
    if (last !== null) queueMicrotask(() => this.#watchers.has(watcher) && watcher.onChange(last));
  }

  /** @param {Watcher} watcher */
  remove(watcher) {
    this.#watchers.delete(watcher);
    if (this.#watchers.size === 0) this.#stop();
  }

  #stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#onVisible);
    this.#closeStream();
    if (watched.get(this.#id) === this) watched.delete(this.#id);
  }

  /** @param {Job} job */
  #note(job) {
    if (this.#stopped) return;
    this.#last = job;
    const ended = hasEnded(job);
    if (ended) this.#stop();
    for (const { onChange } of [...this.#watchers]) onChange(job);
    if (ended) announceChanges(job);
  }

  #stream() {
    const source = new EventSource(withBase(`/api/jobs/${this.#id}/events`));
    this.#source = source;
    streams++;
    const read = (/** @type {MessageEvent<string>} */ event) => this.#note(JSON.parse(event.data));
    source.addEventListener("progress", read);
    source.addEventListener("end", read);
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED || this.#stopped) return;
      this.#closeStream();
      this.#poll(pollPause);
    };
  }

  #closeStream() {
    if (this.#source === null) return;
    this.#source.close();
    this.#source = null;
    streams--;
  }

  #onVisible = () => {
    if (document.hidden) return;
    document.removeEventListener("visibilitychange", this.#onVisible);
    this.#poll(pollPause);
  };

  /** @param {number} pause milliseconds until the next look */
  async #poll(pause) {
    if (document.hidden) return document.addEventListener("visibilitychange", this.#onVisible);
    let next = pollPause;
    try {
      const job = await request("GET", `/api/jobs/${this.#id}`, { background: true, priority: "visible" });
      this.#note(job);
    } catch (error) {
      if (error instanceof ApiError && (error.status === 403 || error.status === 404)) {
        if (!this.#stopped) { for (const { onLost } of [...this.#watchers]) onLost(error); }
        return this.#stop();
      }
      next = Math.min(maxPollPause, pause * 2);
    }
    if (!this.#stopped) this.#timer = setTimeout(() => this.#poll(next), next);
  }
}

/**
 * Lets the page know where objects came or went.
 *
 * @param {Job} job
 */
function announceChanges(job) {
  if (job.done === 0) return;
  for (const place of changedPlaces(job)) {
    dispatchEvent(new CustomEvent("objects-changed", { detail: { ...place, job: job.id } }));
  }
}
