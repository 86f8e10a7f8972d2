// @ts-check

/**
 * Who waits for a request: a person who just did something, a part of the page that is in view, or a guess at what
 * comes next.
 * @typedef {"user" | "visible" | "prefetch"} Priority
 */

/** @type {readonly Priority[]} */
const priorities = ["user", "visible", "prefetch"];

/** Requests a second that keep a session under the API's 600 a minute, with room for other tabs. */
const usualRate = 8;

/** Requests that may go at once after a pause. */
const usualBurst = 24;

/** A token bucket in front of the API: a page that asks faster than the server allows locks itself out. */
export class Scheduler {
  #rate;
  #burst;
  #tokens;
  #refilledAt;
  #pausedUntil = 0;
  #clock;
  /** @type {Record<Priority, Array<() => void>>} */
  #waiting = { user: [], visible: [], prefetch: [] };
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;

  /**
   * @param {() => number} [clock] milliseconds
   * @param {{ rate?: number, burst?: number }} [limits] requests a second, and at once after a pause
   */
  constructor(clock = () => performance.now(), { rate = usualRate, burst = usualBurst } = {}) {
    this.#clock = clock;
    this.#rate = rate;
    this.#burst = burst;
    this.#tokens = burst;
    this.#refilledAt = clock();
  }

  /**
   * Resolves when a request may be sent; those of a higher priority go first. Rejects when `signal` aborts.
   * @param {Priority} priority
   * @param {AbortSignal} [signal]
   * @returns {Promise<void>}
   */
  slot(priority, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const queue = this.#waiting[priority];
      const onAbort = () => {
        const index = queue.indexOf(grant);
        if (index >= 0) queue.splice(index, 1);
        reject(signal?.reason);
      };
      const grant = () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      queue.push(grant);
      this.#pump();
    });
  }

  /**
   * Sends nothing for `duration` milliseconds, and less a second afterwards: the server said it was too much.
   * @param {number} duration
   */
  pause(duration) {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock() + duration);
    this.#rate = Math.max(1, this.#rate * 0.75);
    this.#tokens = 0;
  }

  #pump() {
    const now = this.#clock();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#refilledAt) / 1000 * this.#rate);
    this.#refilledAt = now;
    while (this.#tokens >= 1 && now >= this.#pausedUntil) {
      const queue = priorities.map((priority) => this.#waiting[priority]).find((waiting) =>
        waiting.length > 0
      );
      if (queue === undefined) return;
      this.#tokens -= 1;
      queue.shift()?.();
    }
    if (this.#timer !== null || priorities.every((priority) => this.#waiting[priority].length === 0)) return;
    const delay = Math.max((1 - this.#tokens) / this.#rate * 1000, this.#pausedUntil - now, 10);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#pump();
    }, delay);
  }
}
