import { setTimeout as delay } from "node:timers/promises";
import { Problem } from "../problem.ts";

/**
 * Whether what a backend failed with may be gone when it is asked again: it could not be reached, did not answer in time, or
 * had too much to do.
 */
export function isPassing(error: unknown): boolean {
  return error instanceof Problem && [429, 502, 503, 504].includes(error.status);
}

/**
 * Calls `attempt` again after each of `pauses`, in milliseconds, as long as it fails with what {@link isPassing}. It is told
 * how many attempts there were before. Nothing is tried again once `stopping` is aborted.
 */
export async function withRetries<T>(
  attempt: (earlier: number) => Promise<T>,
  pauses: readonly number[],
  stopping?: AbortSignal,
): Promise<T> {
  for (const [earlier, pause] of pauses.entries()) {
    try {
      return await attempt(earlier);
    } catch (error) {
      // A timeout was wait enough to begin with.
      const isWorthIt = isPassing(error) && (earlier === 0 || !isTimeout(error));
      if (!isWorthIt || !await sleep(pause, stopping)) throw error;
    }
  }
  return await attempt(pauses.length);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Problem && error.status === 504;
}

/** Resolves after `milliseconds` with true, or with false when `signal` is aborted before. */
async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await delay(milliseconds, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
