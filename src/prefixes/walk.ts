import type { JobItem } from "../jobs/job.ts";
import type { JobRun } from "../jobs/run.ts";
import { handleInOrder, type Report } from "./in_order.ts";
import type { Page } from "./pages.ts";
import { finish, withTotal } from "./totals.ts";

/** A job on everything under a prefix, as far as all such jobs are alike. Units are what is handled at once. */
export interface Walk<Unit> {
  /** Lists what is to be done after a position. */
  list(after: string | undefined, signal: AbortSignal): AsyncIterable<Page>;
  /** The units of what failed in earlier runs. */
  fromFailures(items: Iterable<JobItem>): Iterable<Unit>;
  fromPages(pages: AsyncIterable<Page>): AsyncIterable<Unit>;
  /** How many units are handled together. */
  readonly concurrency: number;
  /** Handles a unit. What it throws ends the run; the failures of single objects are for the report. */
  handle(unit: Unit): Promise<Report>;
}

/** Does a job, or what is left of it: first what failed before, then what comes after its position. */
export async function walk<Unit>(run: JobRun, walk: Walk<Unit>): Promise<void> {
  const { concurrency } = walk;
  const options = { concurrency, stopping: run.stopping, handle: (unit: Unit) => walk.handle(unit) };
  await withTotal(run, (signal) => walk.list(undefined, signal), async () => {
    await handleInOrder(walk.fromFailures(run.failures()), options);
    run.signal.throwIfAborted();
    if (run.stopping.aborted || run.job.isListed) return;
    await handleInOrder(walk.fromPages(walk.list(run.job.position, run.signal)), options);
    run.signal.throwIfAborted();
    if (!run.stopping.aborted) finish(run);
  });
}
