import { setTimeout as delay } from "node:timers/promises";
import { Problem } from "../problem.ts";

/** How {@link withRetries} goes about it. */
export interface RetryOptions {
  /** Pauses before the second and each further attempt, in milliseconds. */
  readonly pausesMs: readonly number[];
  /** Once it is aborted, nothing is tried again. */
  readonly signal?: AbortSignal;
}

/**
 * Whether what a backend failed with may be gone when it is asked again: it could not be reached, did not answer in time,
 * had too much to do or failed inside.
 */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Problem)) return false;
  const { upstream_status: status, upstream_code: code } = error.detail ?? {};
  // S3 also refuses with a status that promised success; what it means then is in the problem alone.
  if (typeof status === "number" && status >= 400) {
    return status === 429 || (status >= 500 && status !== 501) || code === "RequestTimeout";
  }
  return [429, 502, 503, 504].includes(error.status);
}

/**
 * Attempts something again, after a pause, as long as it fails with what {@link isPassing}. `attempt` is told how many
 * attempts there were before.
 */
export async function withRetries<T>(
  attempt: (earlier: number) => Promise<T>,
  { pausesMs, signal }: RetryOptions,
): Promise<T> {
  for (const [earlier, pauseMs] of pausesMs.entries()) {
    try {
      return await attempt(earlier);
    } catch (error) {
      // A timeout was wait enough to begin with.
      const isWorthIt = isPassing(error) && (earlier === 0 || !isTimeout(error));
      if (!isWorthIt || !await sleep(pauseMs, signal)) throw error;
    }
  }
  return await attempt(pausesMs.length);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Problem && error.status === 504;
}

/** Resolves after `ms` milliseconds with true, or with false once `signal` is aborted. */
async function sleep(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await delay(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
