// @ts-check

import { keyBeside } from "./conflict.js";
import { backOff, maxRetries, reaction } from "./retry.js";

/** @import { ConflictChoice } from "./conflict.js" */
/** @import { Outcome } from "./retry.js" */

/** Files sent at the same time. */
const maxActive = 4;

/**
 * @typedef {"waiting" | "sending" | "asking" | "done" | "failed" | "cancelled" | "skipped"} UploadState
 *
 * @typedef {object} Upload
 * @property {number} id
 * @property {Blob} file
 * @property {string} key where it goes; changes when both objects are kept
 * @property {string} wantedKey where it was meant to go
 * @property {string} prefix the folder that the batch was sent into
 * @property {UploadState} state
 * @property {number} sent bytes
 * @property {number} retries since it last made progress
 * @property {number} notBefore milliseconds since the epoch; when a retry is due
 * @property {ConflictChoice | null} choice
 * @property {number} copies names tried beside the wanted one
 * @property {string} error what went wrong, for people
 *
 * @typedef {object} QueueParts
 * @property {(upload: Upload, options: { ifAbsent: boolean, signal: AbortSignal, onProgress: (sent: number) => void })
 *   => Promise<Outcome>} send
 * @property {() => Promise<void>} signIn resolves when the user has signed in again, rejects when they will not
 * @property {(upload: Upload) => void} onStored
 * @property {() => void} onChange called after every change; the caller thins it out
 * @property {() => number} clock milliseconds since the epoch
 * @property {(run: () => void, delay: number) => void} later runs something after so many milliseconds
 * @property {() => number} random 0 to 1
 */

/** Sends files, a few at a time, and decides what becomes of each. Knows nothing of pages or of HTTP. */
export class UploadQueue {
  /** @type {Upload[]} */
  uploads = [];
  /** Why nothing is started: `sign_in` and `offline` end by an event, `limited` by time. */
  /** @type {"" | "sign_in" | "offline" | "limited"} */
  held = "";
  #parts;
  /** @type {Map<number, AbortController>} */
  #active = new Map();
  /** @type {ConflictChoice | null} */
  #choiceForAll = null;
  #nextId = 1;
  #wakeAt = Infinity;

  /** @param {QueueParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /** @param {{ file: Blob, key: string, prefix: string }[]} files */
  add(files) {
    if (!this.busy) this.#choiceForAll = null;
    for (const { file, key, prefix } of files) {
      this.uploads.push({
        id: this.#nextId++,
        file,
        key,
        wantedKey: key,
        prefix,
        state: "waiting",
        sent: 0,
        retries: 0,
        notBefore: 0,
        choice: this.#choiceForAll,
        copies: 0,
        error: "",
      });
    }
    this.#pump();
  }

  /** Whether anything is still to be sent. */
  get busy() {
    return this.uploads.some(({ state }) => state === "waiting" || state === "sending" || state === "asking");
  }

  /** The upload that waits for the user to say what to do about a taken name, if any. */
  get asking() {
    return this.uploads.find(({ state }) => state === "asking") ?? null;
  }

  /**
   * Says what to do about the taken name that is asked about.
   *
   * @param {ConflictChoice} choice
   * @param {boolean} forAll the same for every other one of this batch
   */
  answer(choice, forAll) {
    const asked = this.uploads.filter(({ state }) => state === "asking");
    if (forAll) this.#choiceForAll = choice;
    for (const upload of forAll ? asked : asked.slice(0, 1)) this.#choose(upload, choice);
    if (forAll) {
      for (const upload of this.uploads) {
        if (upload.state === "waiting" || upload.state === "sending") upload.choice ??= choice;
      }
    }
    this.#pump();
  }

  /** @param {number} id */
  cancel(id) {
    const upload = this.uploads.find((candidate) => candidate.id === id);
    if (!upload || !["waiting", "sending", "asking"].includes(upload.state)) return;
    upload.state = "cancelled";
    this.#active.get(id)?.abort();
    this.#pump();
  }

  cancelAll() {
    for (const upload of this.uploads) this.cancel(upload.id);
  }

  /** @param {number} id */
  retry(id) {
    const upload = this.uploads.find((candidate) => candidate.id === id);
    if (!upload || !["failed", "cancelled", "skipped"].includes(upload.state)) return;
    if (upload.state === "skipped") upload.choice = null;
    Object.assign(upload, { state: "waiting", sent: 0, retries: 0, notBefore: 0, error: "" });
    this.#pump();
  }

  /** Forgets what is over. */
  clearFinished() {
    this.uploads = this.uploads.filter(({ state }) => ["waiting", "sending", "asking"].includes(state));
    this.#parts.onChange();
  }

  /** Nothing new is started until {@link online}; what is on its way fails by itself and is retried then. */
  offline() {
    this.held = "offline";
    this.#parts.onChange();
  }

  online() {
    if (this.held !== "offline") return;
    this.held = "";
    for (const upload of this.uploads) upload.notBefore = 0;
    this.#pump();
  }

  /** Asks the user to sign in and goes on then. When they would rather not, everything stays where it is. */
  async signIn() {
    this.held = "sign_in";
    this.#parts.onChange();
    await this.#parts.signIn().then(() => this.signedIn(), () => {});
  }

  /** Goes on once the session is there again, whoever asked the user to sign in. */
  signedIn() {
    if (this.held !== "sign_in") return;
    this.held = "";
    this.#pump();
  }

  #pump() {
    const now = this.#parts.clock();
    while (this.held === "" && this.#active.size < maxActive) {
      const next = this.uploads.find(({ state, notBefore }) => state === "waiting" && notBefore <= now);
      if (!next) break;
      this.#start(next);
    }
    const due = this.uploads.filter(({ state, notBefore }) => state === "waiting" && notBefore > now);
    if (due.length > 0) this.#wake(Math.min(...due.map(({ notBefore }) => notBefore)));
    this.#parts.onChange();
  }

  /** @param {number} at milliseconds since the epoch */
  #wake(at) {
    if (at >= this.#wakeAt) return;
    this.#wakeAt = at;
    this.#parts.later(() => {
      this.#wakeAt = Infinity;
      this.#pump();
    }, Math.max(0, at - this.#parts.clock()));
  }

  /** @param {Upload} upload */
  async #start(upload) {
    const abort = new AbortController();
    this.#active.set(upload.id, abort);
    upload.state = "sending";
    const outcome = await this.#parts.send(upload, {
      ifAbsent: upload.choice !== "replace",
      signal: abort.signal,
      onProgress: (sent) => {
        upload.sent = sent;
        this.#parts.onChange();
      },
    });
    this.#active.delete(upload.id);
    if (upload.state === "sending") this.#settle(upload, outcome);
    this.#pump();
  }

  /**
   * @param {Upload} upload
   * @param {Outcome} outcome
   */
  #settle(upload, outcome) {
    const next = reaction(outcome);
    if (next === "done") {
      Object.assign(upload, { state: "done", sent: upload.file.size, error: "" });
      this.#parts.onStored(upload);
      return;
    }
    Object.assign(upload, { state: "waiting", sent: 0 });
    if (next === "exists") {
      if (upload.choice === null || upload.choice === "replace") upload.state = "asking";
      else this.#choose(upload, upload.choice);
    } else if (next === "sign_in") {
      if (this.held !== "sign_in") this.signIn();
    } else if (next === "wait") this.#waitForLimit(outcome.retryAfter ?? 5);
    else if (next === "retry" && upload.retries < maxRetries) {
      upload.retries++;
      upload.notBefore = this.#parts.clock() + backOff(upload.retries, this.#parts.random());
      upload.error = outcome.message || "The connection was lost.";
    } else {
      upload.state = "failed";
      upload.error = outcome.message || "The connection was lost.";
    }
  }

  /**
   * @param {Upload} upload
   * @param {ConflictChoice} choice
   */
  #choose(upload, choice) {
    upload.choice = choice;
    if (choice === "skip") {
      upload.state = "skipped";
      return;
    }
    if (choice === "keep_both") upload.key = keyBeside(upload.wantedKey, ++upload.copies);
    upload.state = "waiting";
  }

  /** @param {number} seconds */
  #waitForLimit(seconds) {
    if (this.held === "limited") return;
    this.held = "limited";
    this.#parts.onChange();
    this.#parts.later(() => {
      if (this.held === "limited") this.held = "";
      this.#pump();
    }, seconds * 1000);
  }
}
