/** Milliseconds that are enough on a machine ten times slower than a developer's: only a failure takes so long. */
const defaultTimeoutMs = 30_000;

/** Milliseconds between two attempts, unless told. */
const defaultIntervalMs = 25;

/** How long {@link until} waits, and what its error says it was waiting for. */
export interface PollOptions {
  /** Deadline in milliseconds; 30,000 unless told. */
  readonly timeoutMs?: number;
  /** Pause between two attempts in milliseconds; 25 unless told. */
  readonly intervalMs?: number;
  /** Completes the sentence "timed out waiting for …". */
  readonly what: string;
}

/** What says "not yet". */
type Nothing = undefined | null | false | 0 | "";

/**
 * Calls `attempt` until it gives a value other than `undefined`, `null`, `false`, 0 or an empty text, and returns that
 * value. An attempt that throws counts as "not yet"; when the deadline passes, the last such error is the cause of the one
 * thrown.
 */
export async function until<T>(
  attempt: () => T | Promise<T>,
  options: PollOptions,
): Promise<Exclude<T, Nothing>> {
  const { timeoutMs = defaultTimeoutMs, intervalMs = defaultIntervalMs, what } = options;
  const deadline = performance.now() + timeoutMs;
  let cause: unknown;
  while (true) {
    try {
      const value = await attempt();
      if (value) return value as Exclude<T, Nothing>;
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= deadline) {
      throw new Error(`timed out after ${timeoutMs} ms waiting for ${what}`, { cause });
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}

/**
 * Measures until a result is `met`, at most so many times, and returns the last one. Times depend on what else the machine
 * does: what is too slow by itself is so each time.
 */
export async function tryUntil<T>(
  tries: number,
  attempt: () => Promise<T>,
  met: (result: T) => boolean,
): Promise<T> {
  let result = await attempt();
  for (let done = 1; done < tries && !met(result); done++) result = await attempt();
  return result;
}

/** Repeats `assertion` until it holds, for 30 seconds. After that, throws what it threw last. */
export async function eventually(assertion: () => void | Promise<void>): Promise<void> {
  const deadline = performance.now() + defaultTimeoutMs;
  while (true) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, defaultIntervalMs));
  }
}
