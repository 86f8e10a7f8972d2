/** What a job does. */
export type JobKind =
  | "copy"
  | "transfer"
  | "copy_prefix"
  | "transfer_prefix"
  | "delete_prefix"
  | "measure";

/**
 * `done`: everything was gone through, though single objects may have failed. `failed`: it could not go on. `interrupted`:
 * the program ended meanwhile.
 */
export type JobState = "queued" | "running" | "stopping" | "done" | "failed" | "stopped" | "interrupted";

/** How a job can end. */
export type EndState = Exclude<JobState, "queued" | "running" | "stopping">;

/** An object, or one of its versions, that a job deals with. */
export interface JobItem {
  readonly key: string;
  readonly versionId?: string;
}

/** What tells an item from all others. */
export function itemName({ key, versionId = "" }: JobItem): string {
  return `${versionId}\n${key}`;
}

/** An object that a job failed at, and why. */
export interface JobFailure extends JobItem {
  readonly code: string;
  readonly message: string;
  /** Machine-readable facts, such as until when a version is locked. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Why a job could not go on. */
export interface JobError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** What a job is to do, as JSON: the bucket whose objects it deals with, and what its runner needs besides. */
export interface JobSpec {
  readonly backend: string;
  readonly bucket: string;
  readonly [field: string]: unknown;
}

/** A job, as it stands. Times are milliseconds since the epoch. */
export interface Job {
  readonly id: string;
  readonly kind: JobKind;
  readonly userId: string;
  /** What is to be done, as JSON: enough to go on after a restart. */
  readonly spec: JobSpec;
  state: JobState;
  /** Objects dealt with, without those that failed and those that were skipped. */
  done: number;
  skipped: number;
  failed: number;
  /** Objects in all, once that is known. */
  total?: number;
  /** Bytes dealt with. */
  bytes: number;
  /** Bytes in all, once that is known. */
  totalBytes?: number;
  /** The object that was begun last. */
  current: string;
  /** Everything up to here was dealt with; what it means is the runner's affair. */
  position?: string;
  /** Whether every page was listed to the end, so that only failures are left for a retry. */
  isListed: boolean;
  /** Figures that were asked for, of jobs that only look. */
  result?: Readonly<Record<string, unknown>>;
  error?: JobError;
  readonly createdAt: number;
  startedAt?: number;
  finishedAt?: number;
}

/** What part of a bucket a job reads or changes; a job that changes something goes alone there. */
export interface JobLock {
  readonly backend: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly mode: "read" | "write";
}
