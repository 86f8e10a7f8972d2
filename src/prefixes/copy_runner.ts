import type { BackendRegistry } from "../backends/registry.ts";
import { withRetries } from "../backends/retries.ts";
import type { JobItem } from "../jobs/job.ts";
import type { JobRun, JobRunner } from "../jobs/run.ts";
import type { Logger } from "../logging/logger.ts";
import { errorMessage } from "../error_message.ts";
import type { CopyObject } from "../objects/copy.ts";
import { Problem } from "../problem.ts";
import { FailureStreak } from "./failure_streak.ts";
import type { Report } from "./in_order.ts";
import { jobListing } from "./listing.ts";
import type { Page } from "./pages.ts";
import { PrefixCopy } from "./prefix_copy.ts";
import { selectedPages } from "./selection.ts";
import { copySpecSchema } from "./spec.ts";
import { walk } from "./walk.ts";

/** What {@link copyPrefixRunner} needs. */
export interface PrefixCopyDeps {
  readonly registry: BackendRegistry;
  readonly copy: CopyObject;
  readonly logger: Logger;
}

/** How many objects are copied together. */
const concurrency = 8;

/** After which pauses, in milliseconds, a copy that failed is tried again. */
const pausesMs = [200, 1000];

/** So many bytes of an object that is not complete are shown as progress; those of small ones count once they are copied. */
const shownBytes = 4 << 20;

/** An object that is to be copied. */
interface Unit {
  readonly item: JobItem;
  /** In bytes, if it was listed. */
  readonly size?: number;
  readonly position?: string;
}

/** Runs jobs that copy, move or transfer everything under a prefix. */
export function copyPrefixRunner(deps: PrefixCopyDeps): JobRunner {
  return async (run) => {
    const spec = copySpecSchema.parse(run.job.spec);
    const { backend, bucket, src_prefix: prefix } = spec;
    const listing = jobListing(run, deps.registry, { backend, bucket, prefix });
    const work = new CopyWork(run, deps, new PrefixCopy(deps, spec, run));
    await walk<Unit>(run, {
      list: (after, signal) => selectedPages({ ...listing, after, signal }, spec),
      fromFailures: unitsOfFailures,
      fromPages: unitsOfPages,
      concurrency,
      handle: (unit) => work.handle(unit),
    });
  };
}

function* unitsOfFailures(items: Iterable<JobItem>): Generator<Unit> {
  for (const item of items) yield { item };
}

async function* unitsOfPages(pages: AsyncIterable<Page>): AsyncGenerator<Unit> {
  for await (const { items, position } of pages) {
    for (const { key, size } of items) {
      yield { item: { key }, size, position: position === undefined ? undefined : key };
    }
  }
}

class CopyWork {
  readonly #run: JobRun;
  readonly #logger: Logger;
  readonly #prefixCopy: PrefixCopy;
  readonly #streak = new FailureStreak();

  constructor(run: JobRun, { logger }: PrefixCopyDeps, prefixCopy: PrefixCopy) {
    this.#run = run;
    this.#logger = logger;
    this.#prefixCopy = prefixCopy;
  }

  async handle({ item, size, position }: Unit): Promise<Report> {
    const run = this.#run;
    run.begin(item);
    const progress = new Progress(run);
    const report = await this.#copy(item, size, progress);
    return () => {
      report();
      if (position !== undefined) run.advance(position);
    };
  }

  async #copy(item: JobItem, size: number | undefined, progress: Progress): Promise<Report> {
    const run = this.#run;
    try {
      const copied = await withRetries(
        (earlier) => {
          progress.restart();
          const mayBeDone = run.isRepeated || earlier > 0;
          return this.#prefixCopy.copy({ ...item, size }, mayBeDone, (bytes) => progress.add(bytes));
        },
        { pausesMs: this.#streak.isShort ? pausesMs : [], signal: run.stopping },
      );
      this.#streak.end();
      if (copied === undefined) return () => run.skipped(item);
      return () => {
        progress.restart();
        run.succeeded(item, copied.size);
      };
    } catch (error) {
      progress.restart();
      // What is broken off has not failed: a retry begins with it.
      if (run.signal.aborted) throw error;
      const problem = this.#problemOf(error);
      this.#streak.add(problem);
      return () => run.failed(item, problem);
    }
  }

  #problemOf(error: unknown): Problem {
    if (error instanceof Problem) return error;
    this.#logger.error("an object could not be copied", { error: errorMessage(error) });
    return new Problem(500, "internal", "Something went wrong while this object was copied.");
  }
}

/** Shows how much of a large object was copied. */
class Progress {
  readonly #run: JobRun;
  #hidden = 0;
  #shown = 0;

  constructor(run: JobRun) {
    this.#run = run;
  }

  add(bytes: number): void {
    this.#hidden += bytes;
    if (this.#hidden < shownBytes) return;
    this.#run.progress(this.#hidden);
    this.#shown += this.#hidden;
    this.#hidden = 0;
  }

  /** Takes back what was shown. */
  restart(): void {
    if (this.#shown > 0) this.#run.progress(-this.#shown);
    this.#shown = 0;
    this.#hidden = 0;
  }
}
