import { isPatient, patience } from "../../static/lib/patience.js";
import { Problem } from "../problem.ts";

/** Milliseconds that a page waits for its first data. After that it goes out without, and its script asks again. */
const deadline = 300;

/** The same for a reader without script, who has asked for the page again because of it. */
const patientDeadline = 10_000;

/** Why a page has no data: what the API would answer. */
export interface FirstFailure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly detail?: Record<string, unknown>;
}

/** What a page starts with: its data, nothing yet, or what went wrong. */
export interface FirstData<T> {
  readonly data: T | null;
  readonly error: FirstFailure | null;
}

/** The address of the same page that waits longer for its first data: without script, nothing comes later. */
export function patientAddress(url: URL): string {
  const address = new URL(url);
  address.searchParams.set(patience, "1");
  return address.pathname + address.search;
}

/**
 * Loads the first data of the page at `url`, but not for longer than the page can wait: `load` is then told to stop.
 * Refusals come back as `error`, for the page to say in its own words; anything but a {@link Problem} is thrown.
 */
export async function firstData<T>(
  url: URL,
  load: (signal: AbortSignal) => Promise<T>,
): Promise<FirstData<T>> {
  const abort = new AbortController();
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), isPatient(url.search) ? patientDeadline : deadline);
  const loading = load(abort.signal);
  // When the deadline wins, nobody is left to hear how loading ends.
  loading.catch(() => {});
  try {
    return { data: await Promise.race([loading, late]), error: null };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status, code, message, detail } = error;
    return { data: null, error: { status, code, message, detail } };
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}
