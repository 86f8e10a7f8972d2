// @ts-check

import { reaction } from "./retry.js";

/** @import { Outcome } from "./retry.js" */

/** Seconds that are waited when the server asks for a pause and does not say for how long. */
const usualPause = 5;

/**
 * @typedef {object} HoldParts
 * @property {() => Promise<void>} signIn resolves when the user has signed in again, rejects when they will not
 * @property {() => void} onChange
 * @property {(run: () => void, delay: number) => void} later runs something after so many milliseconds
 */

/** What everything that sends waits for: the connection, the session, and a server that has asked for a pause. */
export class Hold {
  /** Why nothing may be sent: `sign_in` and `offline` end by an event, `limited` by time. */
  /** @type {"" | "sign_in" | "offline" | "limited"} */
  reason = "";
  #parts;
  /** @type {Set<() => void>} */
  #waiting = new Set();

  /** @param {HoldParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * Resolves when something may be sent, or when `signal` aborts.
   *
   * @param {AbortSignal} signal
   * @returns {Promise<void>}
   */
  ready(signal) {
    if (this.reason === "" || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const go = () => {
        this.#waiting.delete(go);
        signal.removeEventListener("abort", go);
        resolve();
      };
      this.#waiting.add(go);
      signal.addEventListener("abort", go, { once: true });
    });
  }

  /**
   * Holds everything up, after an answer that asks for it: `sign_in` or `wait`.
   *
   * @param {Outcome} outcome
   */
  after(outcome) {
    if (reaction(outcome) === "sign_in") {
      if (this.reason !== "sign_in") this.signIn();
    } else if (this.reason === "") this.#waitForLimit(outcome.retryAfter ?? usualPause);
  }

  /** Nothing new is started until {@link online}; what is on its way fails by itself and is retried then. */
  offline() {
    this.#set("offline");
  }

  online() {
    if (this.reason === "offline") this.#set("");
  }

  /** Asks the user to sign in and goes on then. When they would rather not, everything stays where it is. */
  async signIn() {
    this.#set("sign_in");
    await this.#parts.signIn().then(() => this.signedIn(), () => {});
  }

  /** Goes on once the session is there again, whoever asked the user to sign in. */
  signedIn() {
    if (this.reason === "sign_in") this.#set("");
  }

  /** @param {number} seconds */
  #waitForLimit(seconds) {
    this.#set("limited");
    this.#parts.later(() => {
      if (this.reason === "limited") this.#set("");
    }, seconds * 1000);
  }

  /** @param {Hold["reason"]} reason */
  #set(reason) {
    this.reason = reason;
    if (reason === "") { for (const go of [...this.#waiting]) go(); }
    this.#parts.onChange();
  }
}
