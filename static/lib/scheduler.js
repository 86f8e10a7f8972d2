// @ts-check

/**
 * Who waits for a request: a person who just did something, a part of the page that is in view, or a guess at what
 * comes next.
 * @typedef {"user" | "visible" | "prefetch"} Priority
 */

/** Requests a second that keep a session under the API's 600 a minute, with room for other tabs. */
const usualRate = 8;

/** Requests that may go at once after a pause. */
const usualBurst = 24;

/** Requests a second that are left at least. */
const minRate = 0.1;

/** Milliseconds in which a rate that was lowered doubles again: what the server had too much of passes. */
const doubling = 60_000;

/** A token bucket in front of the API: a page that asks faster than the server allows locks itself out. */
export class Scheduler {
  #fullRate;
  #rate;
  #burst;
  #tokens;
  #refilledAt;
  #pausedUntil = 0;
  #clock;
  /** Those that go first come first. @type {Record<Priority, Array<() => void>>} */
  #waiting = { user: [], visible: [], prefetch: [] };
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;

  /**
   * @param {() => number} [clock] milliseconds
   * @param {{ rate?: number, burst?: number }} [limits] requests a second, and at once after a pause
   */
  constructor(clock = () => performance.now(), { rate = usualRate, burst = usualBurst } = {}) {
    this.#clock = clock;
    this.#fullRate = this.#rate = rate;
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
   * Sends nothing for `duration` milliseconds, when the server will have room for one request, and less a second
   * afterwards: it said that it was too much.
   * @param {number} duration
   */
  pause(duration) {
    const now = this.#clock();
    // Once for all requests that were on their way together. Room for one takes the server at least that long.
    if (now >= this.#pausedUntil) this.#rate *= 0.75;
    this.#rate = Math.max(minRate, Math.min(this.#rate, 1000 / duration));
    this.#pausedUntil = this.#refilledAt = Math.max(this.#pausedUntil, now + duration);
    this.#tokens = 1;
  }

  #pump() {
    const now = this.#clock();
    const passed = Math.max(0, now - this.#refilledAt);
    this.#tokens = Math.min(this.#burst, this.#tokens + passed / 1000 * this.#rate);
    this.#rate = Math.min(this.#fullRate, this.#rate * 2 ** (passed / doubling));
    this.#refilledAt += passed;
    const next = () => Object.values(this.#waiting).find(({ length }) => length > 0);
    while (next() && this.#tokens >= 1 && now >= this.#pausedUntil) {
      this.#tokens -= 1;
      next()?.shift()?.();
    }
    if (this.#timer !== null || !next()) return;
    const delay = Math.max((1 - this.#tokens) / this.#rate * 1000, this.#pausedUntil - now, 10);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#pump();
    }, delay);
  }
}
