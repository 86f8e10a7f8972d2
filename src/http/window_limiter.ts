/** At most so many events of one key in any stretch of time of the given length. */
export interface WindowLimit {
  readonly max: number;
  /** Milliseconds. */
  readonly window: number;
}

/** Keys remembered at once: beyond this the longest unused are dropped, and a flood of new keys costs no more memory. */
const maxKeys = 10_000;

/**
 * Counts events exactly, by their times, where a token bucket would let more through at the seam of two windows. For
 * limits of few events.
 */
export class WindowLimiter {
  readonly #limit: WindowLimit;
  readonly #clock: () => number;
  /** In order of last use: JavaScript's maps keep the order of insertion. */
  readonly #times = new Map<string, number[]>();

  constructor(limit: WindowLimit, clock: () => number) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Counts an event of `key` and returns 0, or returns the milliseconds until there may be another. */
  take(key: string): number {
    const { max, window } = this.#limit;
    const times = this.#recent(key);
    this.#times.delete(key);
    this.#times.set(key, times);
    const now = this.#clock();
    if (times.length >= max) return times[0] + window - now;
    times.push(now);
    if (this.#times.size > maxKeys) {
      const [oldest] = this.#times.keys();
      this.#times.delete(oldest);
    }
    return 0;
  }

  /** How many more events of `key` there may be now. */
  left(key: string): number {
    return Math.max(0, this.#limit.max - this.#recent(key).length);
  }

  #recent(key: string): number[] {
    const since = this.#clock() - this.#limit.window;
    return (this.#times.get(key) ?? []).filter((time) => time > since);
  }

  /** Forgets the latest event of `key`, which turned out to be none. */
  giveBack(key: string): void {
    this.#times.get(key)?.pop();
  }
}
