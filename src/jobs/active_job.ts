import { forbidden, Problem } from "../problem.ts";
import type { Database } from "../store/database.ts";
import {
  deleteJobFailure,
  listJobFailures,
  putJobFailure,
  type StoredJob,
  updateJob,
} from "../store/jobs_repository.ts";
import { itemName, type JobFailure, type JobItem, type JobState } from "./job.ts";
import type { JobRun } from "./run.ts";

/** Progress is on disk after at most this long, in milliseconds. */
const saveDelayMs = 500;

/** So many failures wait for that at most. */
const maxUnsaved = 500;

/** With more failures a job does not go on: whatever is wrong will not pass, and they fill the database. */
const maxFailures = 100_000;

const failurePage = 1000;

/** What {@link ActiveJob} works with. */
export interface ActiveJobOptions {
  readonly database: Database;
  /** Whether the job's user may still do what it does. */
  readonly isPermitted: () => boolean;
}

/**
 * A job that runs. Counters, failures and position are kept in memory and saved together now and then, so that what a crash
 * loses is the same of each.
 */
export class ActiveJob implements JobRun {
  readonly job: StoredJob;
  /** Told whenever the job has changed. */
  readonly listeners = new Set<() => void>();
  readonly #options: ActiveJobOptions;
  readonly #stopping = new AbortController();
  readonly #breaking = new AbortController();
  readonly #ended = Promise.withResolvers<StoredJob>();
  /** Objects that are done again and have not ended. */
  readonly #repeated = new Set<string>();
  /** Failures that are not on disk; `null` for those that are to be removed. */
  readonly #unsaved = new Map<string, { item: JobItem; failure: JobFailure | null }>();
  /** Bytes of objects that have not ended. They are not on disk: a program that is killed begins with these objects again. */
  #partialBytes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(job: StoredJob, options: ActiveJobOptions) {
    this.job = job;
    this.#options = options;
  }

  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  get signal(): AbortSignal {
    return this.#breaking.signal;
  }

  get isRepeated(): boolean {
    return this.job.runs > 1;
  }

  /** Resolves when the job has ended. */
  get ended(): Promise<StoredJob> {
    return this.#ended.promise;
  }

  *failures(): Generator<JobItem> {
    this.save();
    let last: JobItem | undefined;
    while (true) {
      const page = listJobFailures(this.#options.database, this.job.id, failurePage, last);
      for (const { key, versionId } of page) {
        this.#repeated.add(itemName({ key, versionId }));
        yield { key, versionId };
      }
      last = page.at(-1);
      if (last === undefined) return;
    }
  }

  setTotal(objects: number, bytes: number): void {
    this.job.total = objects;
    this.job.totalBytes = bytes;
    this.#changed();
  }

  begin({ key }: JobItem): void {
    this.job.current = key;
    this.#changed();
  }

  progress(bytes: number): void {
    this.job.bytes += bytes;
    this.#partialBytes += bytes;
    this.#changed();
  }

  succeeded(item: JobItem, bytes: number): void {
    this.job.done++;
    this.job.bytes += bytes;
    this.#settle(item, null);
  }

  skipped(item: JobItem): void {
    this.job.skipped++;
    this.#settle(item, null);
  }

  failed(item: JobItem, { code, message, detail }: Problem): void {
    this.#settle(item, { ...item, code, message, ...detail !== undefined && { detail } });
    if (this.job.failed < maxFailures) return;
    throw new Problem(409, "conflict", `More than ${maxFailures} objects failed.`);
  }

  advance(position: string): void {
    this.job.position = position;
    this.#changed();
  }

  listed(): void {
    this.job.isListed = true;
    this.#changed();
  }

  setResult(result: Readonly<Record<string, unknown>>): void {
    this.job.result = result;
    this.#changed();
  }

  requirePermission(): void {
    if (!this.#options.isPermitted()) throw notPermitted();
  }

  /** Changes the state, and saves it. */
  setState(state: JobState, changes: Partial<StoredJob> = {}): void {
    Object.assign(this.job, { ...changes, state });
    this.save();
    this.#notify();
  }

  /** Begins nothing more; what is under way goes on. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Breaks off what is under way. */
  breakOff(reason?: Problem): void {
    this.#stopping.abort(reason);
    this.#breaking.abort(reason);
  }

  /** The last change: from now on nothing is saved, whatever the runner still says. */
  end(state: JobState, changes: Partial<StoredJob>): void {
    if (this.#isOver) return;
    Object.assign(this.job, { ...changes, current: "", state });
    try {
      this.save();
    } finally {
      // Whether or not that could be saved, nobody is left waiting.
      this.#isOver = true;
      clearTimeout(this.#timer);
      this.#ended.resolve(this.job);
      this.#notify();
    }
  }

  /** Writes what is not on disk. */
  save(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { database } = this.#options;
    database.transaction(() => {
      if (!updateJob(database, { ...this.job, bytes: this.job.bytes - this.#partialBytes })) return;
      for (const { item, failure } of this.#unsaved.values()) {
        if (failure === null) deleteJobFailure(database, this.job.id, item);
        else putJobFailure(database, this.job.id, failure);
      }
    });
    this.#unsaved.clear();
  }

  #settle(item: JobItem, failure: JobFailure | null): void {
    const name = itemName(item);
    const hadFailed = this.#repeated.delete(name);
    if (hadFailed && failure === null) this.job.failed--;
    if (!hadFailed && failure !== null) this.job.failed++;
    if (hadFailed || failure !== null) this.#unsaved.set(name, { item, failure });
    if (this.#unsaved.size >= maxUnsaved) this.save();
    this.#changed();
  }

  #changed(): void {
    if (this.#isOver) return;
    this.#timer ??= setTimeout(() => this.#saveInTime(), saveDelayMs);
    this.#notify();
  }

  /** Nobody waits for this, so nobody could catch what it throws. */
  #saveInTime(): void {
    try {
      this.save();
      if (!this.#options.isPermitted()) this.breakOff(notPermitted());
    } catch (error) {
      const problem = new Problem(503, "store_unavailable", "The progress could not be saved.", {
        cause: error,
      });
      this.breakOff(problem);
    }
  }

  #notify(): void {
    for (const listener of this.listeners) listener();
  }
}

function notPermitted(): Problem {
  return forbidden("The user who started this may no longer do it.");
}
