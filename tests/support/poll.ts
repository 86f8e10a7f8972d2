/** How long {@link until} waits, and what its error says it was waiting for. */
export interface PollOptions {
  /** Deadline in milliseconds; 10,000 unless told. */
  readonly timeoutMs?: number;
  /** Pause between two attempts in milliseconds; 25 unless told. */
  readonly intervalMs?: number;
  /** Completes the sentence "timed out waiting for …". */
  readonly what: string;
}

/**
 * Calls `attempt` until it gives a value other than `undefined`, `null` or `false`, and returns that value. An attempt
 * that throws counts as "not yet"; when the deadline passes, the last such error is the cause of the one thrown.
 */
export async function until<T>(
  attempt: () => T | Promise<T>,
  options: PollOptions,
): Promise<Exclude<T, undefined | null | false>> {
  const { timeoutMs = 10_000, intervalMs = 25, what } = options;
  const deadline = performance.now() + timeoutMs;
  let cause: unknown;
  while (true) {
    try {
      const value = await attempt();
      if (value !== undefined && value !== null && value !== false) {
        return value as Exclude<T, undefined | null | false>;
      }
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= deadline) {
      throw new Error(`timed out after ${timeoutMs} ms waiting for ${what}`, { cause });
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
