// @ts-check

/** Answers without a complaint after which one more request may be under way. */
const calmAnswers = 16;

/**
 * How many requests with content may be under way at once, over all files. Goes down when the server says that it is too
 * much, and up again after a while.
 */
export class Lanes {
  #most;
  #limit;
  #taken = 0;
  #calm = 0;
  /** @type {Array<() => void>} */
  #waiting = [];

  /** @param {number} most at once */
  constructor(most) {
    this.#most = most;
    this.#limit = most;
  }

  /** How many may be under way now. */
  get limit() {
    return this.#limit;
  }

  /**
   * Waits for a lane, first come, first served. Rejects when `signal` aborts before.
   *
   * @param {AbortSignal} signal
   * @returns {Promise<() => void>} gives the lane back
   */
  take(signal) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== grant);
        reject(signal.reason);
      };
      const grant = () => {
        signal.removeEventListener("abort", onAbort);
        this.#taken++;
        resolve(() => this.#release());
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(grant);
      this.#pump();
    });
  }

  /** The server asked for less. */
  slowDown() {
    this.#calm = 0;
    this.#limit = Math.max(1, this.#limit - 1);
  }

  /** A request went well. */
  noteSuccess() {
    if (this.#limit >= this.#most || ++this.#calm < calmAnswers) return;
    this.#calm = 0;
    this.#limit++;
    this.#pump();
  }

  #release() {
    this.#taken--;
    this.#pump();
  }

  #pump() {
    while (this.#taken < this.#limit) {
      const grant = this.#waiting.shift();
      if (grant === undefined) return;
      grant();
    }
  }
}
