import { Problem } from "../problem.ts";

/** Pauses before the second and each further attempt, in milliseconds. */
const pausesMs = [200, 1_000, 3_000];

/**
 * Attempts something again, after a while, when it has failed for a reason that may pass: a lost connection, a backend that
 * did not answer in time or failed inside. `signal` ends that.
 */
export async function retried<T>(signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await attempt();
    } catch (error) {
      if (signal?.aborted || !mayPass(error)) throw error;
    }
    await pause(pauseMs, signal);
  }
  return await attempt();
}

function mayPass(error: unknown): boolean {
  if (!(error instanceof Problem)) return false;
  const status = error.detail?.upstream_status;
  return typeof status === "number" ? status >= 500 && status !== 501 : [502, 504].includes(error.status);
}

/** Resolves after `ms` milliseconds, or when `signal` is aborted. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
  });
}
