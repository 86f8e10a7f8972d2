/** How long to wait between attempts, in milliseconds. */
export interface BackoffLimits {
  readonly min: number;
  readonly max: number;
}

/** Delays between failed attempts: each between the least and a ceiling that doubles with each failure. */
export class Backoff {
  readonly #limits: BackoffLimits;
  readonly #random: () => number;
  #failures = 0;

  /** `random` gives a number from 0 up to 1. */
  constructor(limits: BackoffLimits, random: () => number) {
    this.#limits = limits;
    this.#random = random;
  }

  /** How many attempts failed in a row. */
  get failures(): number {
    return this.#failures;
  }

  /** Counts a failure; returns how long to wait after it. */
  next(): number {
    const { min, max } = this.#limits;
    this.#failures++;
    const ceiling = Math.min(max, min * 2 ** this.#failures);
    return min + this.#random() * (ceiling - min);
  }

  /** An attempt succeeded. */
  reset(): void {
    this.#failures = 0;
  }
}
