// @ts-check

import { missingParts } from "./part_plan.js";
import { backOff, maxRetries, reaction } from "./retry.js";

/** @import { Hold } from "./hold.js" */
/** @import { Lanes } from "./lanes.js" */
/** @import { Part, StoredPart } from "./part_plan.js" */
/** @import { Outcome } from "./retry.js" */

/**
 * What sends the parts of one file.
 *
 * @typedef {object} PartSending
 * @property {readonly Part[]} parts of the file, all of them
 * @property {Map<number, StoredPart>} stored those that the server has, by number; what is sent is added
 * @property {Lanes} lanes
 * @property {(part: Part, options: { signal: AbortSignal, onProgress: (sent: number) => void })
 *   => Promise<Outcome & { etag?: string }>} sendPart never rejects
 * @property {Hold} hold
 * @property {(milliseconds: number, signal: AbortSignal) => Promise<void>} pause
 * @property {() => number} random 0 to 1
 * @property {(sent: number) => void} onProgress told the bytes that are stored or under way
 * @property {AbortSignal} signal
 */

/**
 * Sends the parts of a file that are missing, several at once, each with its own retries. An ended session, a lost
 * connection and the server's rate limit hold the parts up, but fail none of them. The first part that fails for good ends
 * the others.
 *
 * @param {PartSending} sending
 * @returns {Promise<Outcome>} that of the part that failed; status 200 when all are stored, 0 when `signal` aborted
 */
export async function sendParts(sending) {
  const { parts, stored, lanes } = sending;
  const rest = missingParts(parts, stored);
  const progress = new PartProgress(sending);
  const failure = new AbortController();
  const signal = AbortSignal.any([sending.signal, failure.signal]);
  /** @type {Outcome} */
  let result = { status: 200 };
  const work = async () => {
    while (!signal.aborted) {
      const release = await lanes.take(signal);
      const part = rest.shift();
      try {
        if (part === undefined) return;
        const outcome = await sendOnePart(sending, part, progress, signal);
        if (reaction(outcome) === "done") continue;
        if (result.status === 200) result = outcome;
        failure.abort();
      } finally {
        release();
      }
    }
  };
  const workers = Array.from({ length: Math.min(rest.length, lanes.limit) }, () => work().catch(() => {}));
  await Promise.all(workers);
  return sending.signal.aborted ? { status: 0 } : result;
}

/**
 * @param {PartSending} sending
 * @param {Part} part
 * @param {PartProgress} progress
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome>}
 */
async function sendOnePart(sending, part, progress, signal) {
  const { lanes, stored, hold, pause, random } = sending;
  for (let retries = 0;;) {
    await hold.ready(signal);
    const onProgress = (/** @type {number} */ sent) => progress.note(part.number, sent);
    const outcome = await sending.sendPart(part, { signal, onProgress });
    if (signal.aborted) return { status: 0 };
    const next = reaction(outcome);
    if (next === "done" && outcome.etag !== undefined) {
      stored.set(part.number, { etag: outcome.etag, size: part.end - part.start });
      progress.note(part.number, 0);
      lanes.noteSuccess();
      return outcome;
    }
    progress.note(part.number, 0);
    if (outcome.status === 429 || outcome.status === 503) lanes.slowDown();
    if (next === "wait" || next === "sign_in") hold.after(outcome);
    else if (next === "retry" && retries < maxRetries) {
      retries++;
      await pause(Math.max(backOff(retries, random()), (outcome.retryAfter ?? 0) * 1000), signal);
    } else return outcome;
  }
}

/** Adds up what is stored and what is under way. */
class PartProgress {
  #sending;
  /** @type {Map<number, number>} */
  #underWay = new Map();

  /** @param {PartSending} sending */
  constructor(sending) {
    this.#sending = sending;
    this.#tell();
  }

  /**
   * @param {number} number
   * @param {number} sent bytes of the part that are under way; 0 once it is stored or has failed
   */
  note(number, sent) {
    if (sent === 0) this.#underWay.delete(number);
    else this.#underWay.set(number, sent);
    this.#tell();
  }

  #tell() {
    let bytes = 0;
    for (const { size } of this.#sending.stored.values()) bytes += size;
    for (const sent of this.#underWay.values()) bytes += sent;
    this.#sending.onProgress(bytes);
  }
}
