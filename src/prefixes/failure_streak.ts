import { isPassing } from "../backends/retries.ts";
import type { Problem } from "../problem.ts";

/** After so many failures in a row that may pass, the backend is taken for gone. */
const maxPassing = 40;

/** After so many failures in a row of whatever kind, the rest is not tried. More than a page, so that its keys are told. */
const maxFailures = 2000;

/** Ends a job that only fails: each object of a million would have to wait for a backend that is gone. */
export class FailureStreak {
  #passing = 0;
  #failures = 0;

  /** Whether the backend seems to be there, so that it is worth trying again. */
  get isShort(): boolean {
    return this.#passing < maxPassing / 2;
  }

  /** Something has not failed. */
  end(): void {
    this.#passing = 0;
    this.#failures = 0;
  }

  /** Something has failed. Throws its problem when that was once too often. */
  add(problem: Problem): void {
    this.#failures++;
    this.#passing = isPassing(problem) ? this.#passing + 1 : 0;
    if (this.#passing >= maxPassing || this.#failures >= maxFailures) throw problem;
  }
}
