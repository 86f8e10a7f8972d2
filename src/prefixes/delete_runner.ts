import { type BucketScope, findBucket } from "../backends/bucket_scope.ts";
import { requireWritableKey } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { isPassing, withRetries } from "../backends/retries.ts";
import { itemName, type JobItem } from "../jobs/job.ts";
import type { JobRun, JobRunner } from "../jobs/run.ts";
import { deleteObjects, type RemovalFailure } from "../objects/removal.ts";
import { notFound, Problem } from "../problem.ts";
import { findObject } from "../quotas/count.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import { FailureStreak } from "./failure_streak.ts";
import type { Report } from "./in_order.ts";
import { jobListing } from "./listing.ts";
import type { ListedItem, Page } from "./pages.ts";
import { selectedPages, selectedVersionPages } from "./selection.ts";
import { type DeletionSpec, deletionSpecSchema } from "./spec.ts";
import { walk } from "./walk.ts";

/** What {@link deleteRunner} needs. */
export interface DeletionDeps {
  readonly registry: BackendRegistry;
  readonly ledger: QuotaLedger;
}

/** How many batches are deleted together. */
const concurrency = 3;

/** Most objects that backends delete at once. */
const batchSize = 1000;

/** After which pauses, in milliseconds, a deletion that failed is tried again. */
const pausesMs = [200, 1000];

/** Runs jobs that delete everything under a prefix, or a selection of it. */
export function deleteRunner(deps: DeletionDeps): JobRunner {
  return async (run) => {
    const spec = deletionSpecSchema.parse(run.job.spec);
    const listing = jobListing(run, deps.registry, spec);
    const pagesOf = spec.versions ? selectedVersionPages : selectedPages;
    const deletion = new PrefixDeletion(run, deps, spec);
    await walk<Page>(run, {
      list: (after, signal) => pagesOf({ ...listing, after, signal }, spec),
      fromFailures: batches,
      fromPages: (pages) => pages,
      concurrency,
      handle: (page) => deletion.handle(page),
    });
  };
}

function* batches(items: Iterable<JobItem>): Generator<Page> {
  let batch: ListedItem[] = [];
  for (const item of items) {
    batch.push({ ...item, size: 0 });
    if (batch.length < batchSize) continue;
    yield { items: batch };
    batch = [];
  }
  if (batch.length > 0) yield { items: batch };
}

class PrefixDeletion {
  readonly #run: JobRun;
  readonly #deps: DeletionDeps;
  readonly #spec: DeletionSpec;
  readonly #streak = new FailureStreak();

  constructor(run: JobRun, deps: DeletionDeps, spec: DeletionSpec) {
    this.#run = run;
    this.#deps = deps;
    this.#spec = spec;
  }

  /** Deletes what a page has. A backend that does not take the request at all ends the job, which can go on later. */
  async handle({ items, position }: Page): Promise<Report> {
    const run = this.#run;
    if (items.length > 0) run.begin(items[0]);
    const failures = await this.#remove(items);
    for (const item of items) {
      const problem = failures.get(itemName(item));
      if (problem === undefined) this.#streak.end();
      else this.#streak.add(problem);
    }
    return () => {
      for (const item of items) {
        const problem = failures.get(itemName(item));
        if (problem === undefined) run.succeeded(identifier(item), item.size);
        else run.failed(identifier(item), problem);
      }
      if (position !== undefined) run.advance(position);
    };
  }

  /** Deletes objects; returns why single ones could not be deleted. */
  async #remove(items: readonly ListedItem[]): Promise<Map<string, Problem>> {
    const { backend, bucket } = this.#spec;
    const scope = findBucket(this.#deps.registry, backend, bucket);
    const failures = new Map<string, Problem>();
    const allowed: ListedItem[] = [];
    for (const item of items) {
      const problem = await refusal(scope, item);
      if (problem === undefined) allowed.push(item);
      else failures.set(itemName(item), problem);
    }
    const incomplete = new Problem(503, "backend_error", "The backend did not delete all objects.");
    let left = allowed;
    await withRetries(
      async (earlier) => {
        for (const item of left) failures.delete(itemName(item));
        const result = await this.#send(scope, left);
        for (const failure of result) failures.set(itemName(failure), problemOf(failure));
        left = left.filter((item) => isPassing(failures.get(itemName(item))));
        if (left.length > 0 && earlier < pausesMs.length) throw incomplete;
      },
      { pausesMs, signal: this.#run.stopping },
    ).catch((error) => {
      // A job that was stopped in a pause still tells what was deleted before.
      if (error !== incomplete) throw error;
    });
    return failures;
  }

  async #send(scope: BucketScope, items: readonly ListedItem[]): Promise<RemovalFailure[]> {
    if (items.length === 0) return [];
    const identifiers = items.map(identifier);
    const { failures } = await deleteObjects(scope, identifiers, this.#deps.ledger, this.#run.stopping);
    return failures;
  }
}

/** Why an object is not to be deleted. */
async function refusal(scope: BucketScope, { key, versionId }: ListedItem): Promise<Problem | undefined> {
  try {
    requireWritableKey(key);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  // What some backends put in place of a character that XML cannot hold: such a key names nothing.
  if (!key.includes("\ufffd") || await findObject(scope, key, { versionId })) return undefined;
  return notFound("The backend lists this object by a key that it does not have.");
}

/** A failure of a bulk deletion has no status; only what may pass matters. */
function problemOf({ code, message, detail }: RemovalFailure): Problem {
  const status = code === "backend_error" || code === "backend_timeout" ? 502 : 400;
  return new Problem(status, code, message, { detail });
}

function identifier({ key, versionId }: JobItem): JobItem {
  return { key, versionId };
}
