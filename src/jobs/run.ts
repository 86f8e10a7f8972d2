import type { Problem } from "../problem.ts";
import type { Job, JobItem } from "./job.ts";

/** One run of a job, as the code that does its work sees it. */
export interface JobRun {
  /** The job as it stands; `spec`, `position` and `isListed` say what is left to do. */
  readonly job: Readonly<Job>;
  /** Aborted when nothing more is to be begun; what is under way is finished. */
  readonly stopping: AbortSignal;
  /** Aborted when what is under way is to be broken off, too. */
  readonly signal: AbortSignal;
  /** Whether the job has run before, so that the last moments of that run may be done again. */
  readonly isRepeated: boolean;
  /** What failed in earlier runs, to be done again first. Read from the database as it goes. */
  failures(): Iterable<JobItem>;
  /** Says how much there is to do. */
  setTotal(objects: number, bytes: number): void;
  /** An object is begun. */
  begin(item: JobItem): void;
  /** Some bytes of an object were dealt with; all of them are taken back, by a negative number, before the object ends. */
  progress(bytes: number): void;
  /** An object of `bytes` bytes is done. */
  succeeded(item: JobItem, bytes: number): void;
  /** An object was left alone, as was asked for. */
  skipped(item: JobItem): void;
  /** An object failed. Throws when so many have that the job must not go on. */
  failed(item: JobItem, problem: Problem): void;
  /** Everything up to `position` was dealt with or has failed. */
  advance(position: string): void;
  /** Puts on disk what was said so far, which else takes a moment: for what must not be lost when the program is killed. */
  save(): void;
  /** Every page was listed. */
  listed(): void;
  /** Gives the figures of a job that only looks. */
  setResult(result: Readonly<Record<string, unknown>>): void;
  /** Throws 403 `forbidden` when its user may no longer do this; to be called for every page. */
  requirePermission(): void;
}

/** Does the work of jobs of one kind. What it throws fails the job. */
export type JobRunner = (run: JobRun) => Promise<void>;
