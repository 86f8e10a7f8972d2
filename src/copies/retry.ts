import { withRetries } from "../backends/retries.ts";

/** Pauses before the second and each further attempt, in milliseconds. */
const pausesMs = [200, 1_000, 3_000];

/** Attempts a step of a copy again, after a while, when it has failed for a reason that may pass. `signal` ends that. */
export function retried<T>(signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
  return withRetries(attempt, { pausesMs, signal });
}
