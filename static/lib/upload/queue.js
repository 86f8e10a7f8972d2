// @ts-check

import { keyBeside } from "./conflict.js";
import { Hold } from "./hold.js";
import { backOff, maxRetries, reaction } from "./retry.js";
import { isFinished, isOpen } from "./upload.js";

/** @import { ConflictChoice } from "./conflict.js" */
/** @import { Outcome } from "./retry.js" */
/** @import { Batch, NewUpload, Upload } from "./upload.js" */

/** Files sent at the same time. */
const maxActive = 4;

/**
 * How a file is to be sent, and what is told on the way.
 *
 * @typedef {object} SendOptions
 * @property {boolean} ifAbsent
 * @property {AbortSignal} signal
 * @property {(sent: number) => void} onProgress
 * @property {Hold} hold to wait for before each request, and to tell of answers after which all have to wait
 *
 * @typedef {object} QueueParts
 * @property {(upload: Upload, options: SendOptions) => Promise<Outcome>} send
 * @property {() => Promise<void>} signIn resolves when the user has signed in again, rejects when they will not
 * @property {(upload: Upload) => void} onStored
 * @property {(upload: Upload) => void} onDropped told when an upload will not be finished
 * @property {() => void} onChange called after every change; the caller thins it out
 * @property {() => string} describeLoss what to say when no answer came
 * @property {() => number} clock milliseconds since the epoch
 * @property {(run: () => void, delay: number) => void} later runs something after so many milliseconds
 * @property {() => number} random 0 to 1
 */

/** Sends files, a few at a time, and decides what becomes of each. Knows nothing of pages or of HTTP. */
export class UploadQueue {
  /** @type {Upload[]} */
  uploads = [];
  /** What holds everything up. */
  hold;
  /** Goes up with each batch that is added while nothing is under way. */
  round = 0;
  #parts;
  /** @type {Map<number, AbortController>} */
  #active = new Map();
  #nextId = 1;
  #wakeAt = Infinity;

  /** @param {QueueParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { signIn, later } = parts;
    this.hold = new Hold({ signIn, later, onChange: () => this.#holdChanged() });
  }

  /**
   * @param {readonly NewUpload[]} files
   * @param {Batch} batch
   */
  add(files, batch) {
    if (!this.busy) this.round++;
    for (const { file, key, handle = null, parted = null, rowId = "", state = "waiting" } of files) {
      this.uploads.push({
        id: this.#nextId++,
        batch,
        file,
        size: file?.size ?? 0,
        key,
        wantedKey: key,
        round: this.round,
        state,
        sent: 0,
        retries: 0,
        notBefore: 0,
        choice: batch.choice,
        copies: 0,
        error: "",
        restarted: false,
        parted,
        rowId,
        handle,
      });
    }
    this.#pump();
  }

  /** Whether anything is still to be sent, but for what is paused. */
  get busy() {
    return this.uploads.some(isOpen);
  }

  /** Whether leaving the page loses anything: what is paused can be taken up again only if it goes in parts. */
  get losable() {
    return this.uploads.some((upload) =>
      isOpen(upload) || (upload.state === "paused" && upload.parted === null)
    );
  }

  /** The upload that waits for the user to say what to do about a taken name, if any. */
  get asking() {
    return this.uploads.find(({ state }) => state === "asking") ?? null;
  }

  /**
   * Says what to do about the taken name that is asked about.
   *
   * @param {ConflictChoice} choice
   * @param {boolean} forAll the same for every other one of its batch
   */
  answer(choice, forAll) {
    const { asking } = this;
    if (asking === null) return;
    this.#choose(asking, choice);
    if (forAll) {
      asking.batch.choice = choice;
      for (const upload of this.uploads) {
        if (upload.batch !== asking.batch) continue;
        if (upload.state === "asking") this.#choose(upload, choice);
        else if (upload.state !== "done") upload.choice ??= choice;
      }
    }
    this.#pump();
  }

  /**
   * Stops sending, for as long as the user wants. Of a file that goes in parts, those that are stored stay.
   * @param {readonly Upload[]} uploads
   */
  pause(uploads) {
    for (const upload of uploads) {
      if (upload.state !== "waiting" && upload.state !== "sending") continue;
      this.#stop(upload, "paused");
    }
    this.#pump();
  }

  /** @param {readonly Upload[]} uploads */
  resume(uploads) {
    const paused = uploads.filter(({ state }) => state === "paused");
    if (!this.busy && paused.length > 0) this.#joinRound(paused);
    for (const upload of paused) Object.assign(upload, { state: "waiting", retries: 0, notBefore: 0 });
    this.#pump();
  }

  /**
   * Gives uploads up. What the server has of them is thrown away.
   * @param {readonly Upload[]} uploads
   */
  cancel(uploads) {
    for (const upload of uploads) {
      if (isFinished(upload) && upload.state !== "failed") continue;
      this.#stop(upload, "cancelled");
      this.#parts.onDropped(upload);
    }
    this.#pump();
  }

  /** @param {readonly Upload[]} uploads */
  retry(uploads) {
    const again = uploads.filter(({ state }) => ["failed", "cancelled", "skipped"].includes(state));
    if (!this.busy && again.length > 0) this.#joinRound(again);
    for (const upload of again) {
      if (upload.state === "skipped") upload.choice = null;
      Object.assign(upload, { state: "waiting", sent: 0, retries: 0, notBefore: 0, error: "" });
    }
    this.#pump();
  }

  /** Forgets what is over. */
  clearFinished() {
    for (const upload of this.uploads) {
      if (upload.state === "failed") this.#parts.onDropped(upload);
    }
    this.uploads = this.uploads.filter((upload) => !isFinished(upload));
    this.#parts.onChange();
  }

  /** @param {readonly Upload[]} uploads */
  #joinRound(uploads) {
    this.round++;
    for (const upload of uploads) upload.round = this.round;
  }

  #holdChanged() {
    if (this.hold.reason === "") { for (const upload of this.uploads) upload.notBefore = 0; }
    this.#pump();
  }

  #pump() {
    const now = this.#parts.clock();
    while (this.hold.reason === "" && this.#active.size < maxActive) {
      const next = this.uploads.find(({ id, state, notBefore }) =>
        state === "waiting" && notBefore <= now && !this.#active.has(id)
      );
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
        if (upload.state !== "sending") return;
        upload.sent = sent;
        this.#parts.onChange();
      },
      hold: this.hold,
    });
    this.#active.delete(upload.id);
    if (upload.state === "sending" && !abort.signal.aborted) this.#settle(upload, outcome);
    this.#pump();
  }

  /**
   * @param {Upload} upload
   * @param {"paused" | "cancelled"} state
   */
  #stop(upload, state) {
    upload.state = state;
    if (upload.parted === null) upload.sent = 0;
    this.#active.get(upload.id)?.abort();
  }

  /**
   * @param {Upload} upload
   * @param {Outcome} outcome
   */
  #settle(upload, outcome) {
    const next = reaction(outcome);
    if (next === "done") {
      Object.assign(upload, { state: "done", sent: upload.size, error: "" });
      this.#parts.onStored(upload);
      return;
    }
    upload.state = "waiting";
    if (upload.parted === null) upload.sent = 0;
    if (next === "exists") {
      if (upload.choice === null || upload.choice === "replace") upload.state = "asking";
      else this.#choose(upload, upload.choice);
    } else if (next === "sign_in" || next === "wait") this.hold.after(outcome);
    else if (next === "retry" && upload.retries < maxRetries) {
      upload.retries++;
      const wait = Math.max(backOff(upload.retries, this.#parts.random()), (outcome.retryAfter ?? 0) * 1000);
      upload.notBefore = this.#parts.clock() + wait;
      upload.error = outcome.message || this.#parts.describeLoss();
    } else {
      upload.state = "failed";
      upload.error = outcome.message || this.#parts.describeLoss();
    }
  }

  /**
   * @param {Upload} upload
   * @param {ConflictChoice} choice
   */
  #choose(upload, choice) {
    upload.choice = choice;
    upload.state = choice === "skip" ? "skipped" : "waiting";
    if (choice === "skip") this.#parts.onDropped(upload);
    if (choice === "keep_both") upload.key = keyBeside(upload.wantedKey, ++upload.copies);
  }
}
