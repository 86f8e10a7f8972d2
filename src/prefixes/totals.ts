import type { JobRun } from "../jobs/run.ts";
import { measure } from "./figures.ts";
import type { Page } from "./pages.ts";

/** After so many pages of a listing the total stays unknown. */
const maxPages = 1000;

/**
 * Runs `work` and meanwhile counts ahead of it, by a listing of its own, how much there is to do. `list` makes that listing.
 * A job that goes on after an interruption is not counted again: some of what it had to do may be gone.
 */
export async function withTotal(
  run: JobRun,
  list: (signal: AbortSignal) => AsyncIterable<Page>,
  work: () => Promise<void>,
): Promise<void> {
  const counting = new AbortController();
  const counted = run.isRepeated ? undefined : setTotal(run, list(counting.signal));
  try {
    await work();
  } finally {
    counting.abort();
    await counted;
  }
}

/** The end of a job that has gone through everything: what it did is its total now, whatever was counted. */
export function finish(run: JobRun): void {
  const { done, skipped, failed, bytes, totalBytes = 0 } = run.job;
  run.setTotal(done + skipped + failed, skipped + failed === 0 ? bytes : Math.max(bytes, totalBytes));
  run.listed();
}

async function setTotal(run: JobRun, pages: AsyncIterable<Page>): Promise<void> {
  try {
    const { count, bytes } = await measure(firstOf(pages));
    const { done, skipped, failed } = run.job;
    // Some of it may have been deleted before it was counted.
    run.setTotal(Math.max(count, done + skipped + failed), Math.max(bytes, run.job.bytes));
  } catch {
    // Progress is shown without a total then; what fails the listing fails the job by itself.
  }
}

async function* firstOf(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  let left = maxPages;
  for await (const page of pages) {
    if (left-- === 0) throw new RangeError("there is too much to be counted");
    yield page;
  }
}
