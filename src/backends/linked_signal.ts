/** A signal that is aborted together with a longer-lived one. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Aborts it alone. */
  abort(reason?: unknown): void;
  /** To be called at the end: nothing of the link stays behind at the other signal. */
  unlink(): void;
}

/** Makes a signal that is aborted together with `parent`, which may live on for a million objects more. */
export function linkSignal(parent: AbortSignal): LinkedSignal {
  const controller = new AbortController();
  const onAbort = () => controller.abort(parent.reason);
  if (parent.aborted) onAbort();
  parent.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink: () => parent.removeEventListener("abort", onAbort),
  };
}

/** Runs `work` with a signal of its own, as of {@link linkSignal}. When it fails, what it has left open is broken off. */
export async function withLinkedSignal<T>(
  parent: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, abort, unlink } = linkSignal(parent);
  try {
    return await work(signal);
  } catch (error) {
    abort();
    throw error;
  } finally {
    unlink();
  }
}
