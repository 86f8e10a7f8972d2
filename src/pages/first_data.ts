import { Problem } from "../problem.ts";

/** Milliseconds that a page waits for its first data. After that it goes out without, and its script asks again. */
const deadline = 300;

/** What a page starts with: its data, nothing yet, or what went wrong. */
export interface FirstData<T> {
  readonly data: T | null;
  readonly error: { readonly status: number; readonly code: string; readonly message: string } | null;
}

/**
 * Loads a page's first data, but not for longer than the page can wait: `load` is then told to stop. Refusals come
 * back as `error`, for the page to say in its own words; anything but a {@link Problem} is thrown.
 */
export async function firstData<T>(load: (signal: AbortSignal) => Promise<T>): Promise<FirstData<T>> {
  const abort = new AbortController();
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), deadline);
  const loading = load(abort.signal);
  // When the deadline wins, nobody is left to hear how loading ends.
  loading.catch(() => {});
  try {
    return { data: await Promise.race([loading, late]), error: null };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status, code, message } = error;
    return { data: null, error: { status, code, message } };
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}
