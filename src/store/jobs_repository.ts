import type { Job, JobFailure, JobItem, JobLock, JobState } from "../jobs/job.ts";
import type { Database, Row } from "./database.ts";

/** A job as the database keeps it. */
export interface StoredJob extends Job {
  readonly locks: readonly JobLock[];
  /** How often it was begun. */
  runs: number;
}

/** Which jobs are asked for; newest first. */
export interface JobQuery {
  /** Those of all users unless told. */
  readonly userId?: string;
  /** The last job of the page before. */
  readonly after?: Pick<Job, "id" | "createdAt">;
  readonly limit: number;
}

/** States of jobs that have not ended. */
export const openStates: readonly JobState[] = ["queued", "running", "stopping"];

/** Keeps a new job. */
export function insertJob(database: Database, job: StoredJob): void {
  database.run(
    `INSERT INTO jobs (id, kind, user_id, spec, locks, state, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    job.id,
    job.kind,
    job.userId,
    JSON.stringify(job.spec),
    JSON.stringify(job.locks),
    job.state,
    job.createdAt,
  );
}

/** Keeps how a job stands. Returns whether it is still there: its user may have been removed. */
export function updateJob(database: Database, job: StoredJob): boolean {
  const changes = database.run(
    `UPDATE jobs SET state = ?, runs = ?, done = ?, skipped = ?, failed = ?, total = ?, bytes = ?, total_bytes = ?,
       current = ?, position = ?, is_listed = ?, result = ?, error = ?, started_at = ?, finished_at = ? WHERE id = ?`,
    job.state,
    job.runs,
    job.done,
    job.skipped,
    job.failed,
    job.total ?? null,
    job.bytes,
    job.totalBytes ?? null,
    job.current,
    job.position ?? null,
    Number(job.isListed),
    toJson(job.result),
    toJson(job.error),
    job.startedAt ?? null,
    job.finishedAt ?? null,
    job.id,
  );
  return changes > 0;
}

/** One job, or `undefined`. */
export function findJob(database: Database, id: string): StoredJob | undefined {
  const row = database.get("SELECT * FROM jobs WHERE id = ?", id);
  return row && fromRow(row);
}

/** A page of jobs. */
export function listJobs(database: Database, { userId, after, limit }: JobQuery): StoredJob[] {
  const conditions = ["TRUE"];
  const values: (string | number)[] = [];
  if (userId !== undefined) {
    conditions.push("user_id = ?");
    values.push(userId);
  }
  if (after !== undefined) {
    conditions.push("(created_at, id) < (?, ?)");
    values.push(after.createdAt, after.id);
  }
  const sql = `SELECT * FROM jobs WHERE ${
    conditions.join(" AND ")
  } ORDER BY created_at DESC, id DESC LIMIT ?`;
  return database.all(sql, ...values, limit).map(fromRow);
}

/** How many of a user's jobs have not ended. */
export function countOpenJobs(database: Database, userId: string): number {
  const states = openStates.map(() => "?").join(", ");
  const row = database.get(
    `SELECT count(*) AS total FROM jobs WHERE user_id = ? AND state IN (${states})`,
    userId,
    ...openStates,
  );
  return Number(row?.total);
}

/** Marks jobs that the last run of the program has left open. */
export function interruptOpenJobs(database: Database, now: number): void {
  const states = openStates.map(() => "?").join(", ");
  database.run(
    `UPDATE jobs SET state = 'interrupted', finished_at = ? WHERE state IN (${states})`,
    now,
    ...openStates,
  );
}

/** Removes jobs that ended before a time. */
export function deleteJobsEndedBefore(database: Database, time: number): void {
  database.run("DELETE FROM jobs WHERE finished_at < ?", time);
}

/** Keeps that a job failed at an object, in place of what was known of that before. */
export function putJobFailure(database: Database, jobId: string, failure: JobFailure): void {
  database.run(
    "INSERT OR REPLACE INTO job_failures (job_id, key, version_id, code, message, detail) VALUES (?, ?, ?, ?, ?, ?)",
    jobId,
    failure.key,
    failure.versionId ?? "",
    failure.code,
    failure.message,
    toJson(failure.detail),
  );
}

/** Forgets that a job failed at an object. */
export function deleteJobFailure(database: Database, jobId: string, { key, versionId = "" }: JobItem): void {
  database.run(
    "DELETE FROM job_failures WHERE job_id = ? AND key = ? AND version_id = ?",
    jobId,
    key,
    versionId,
  );
}

/** A page of what a job failed at, in the order of keys; from the start unless told after which object. */
export function listJobFailures(
  database: Database,
  jobId: string,
  limit: number,
  { key, versionId = "" }: JobItem = { key: "" },
): JobFailure[] {
  return database.all(
    `SELECT * FROM job_failures WHERE job_id = ? AND (key, version_id) > (?, ?) ORDER BY key, version_id LIMIT ?`,
    jobId,
    key,
    versionId,
    limit,
  ).map((row) => ({
    key: String(row.key),
    versionId: row.version_id === "" ? undefined : String(row.version_id),
    code: String(row.code),
    message: String(row.message),
    ...row.detail !== null && { detail: JSON.parse(String(row.detail)) },
  }));
}

/** How many objects a job failed at, by the code of why. */
export function countJobFailures(database: Database, jobId: string): Record<string, number> {
  const rows = database.all(
    "SELECT code, count(*) AS total FROM job_failures WHERE job_id = ? GROUP BY code",
    jobId,
  );
  return Object.fromEntries(rows.map(({ code, total }) => [String(code), Number(total)]));
}

function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function fromRow(row: Row): StoredJob {
  const optional = <T>(value: Row[string], read: (value: Row[string]) => T) =>
    value === null ? undefined : read(value);
  return {
    id: String(row.id),
    kind: String(row.kind) as Job["kind"],
    userId: String(row.user_id),
    spec: JSON.parse(String(row.spec)),
    locks: JSON.parse(String(row.locks)),
    state: String(row.state) as JobState,
    runs: Number(row.runs),
    done: Number(row.done),
    skipped: Number(row.skipped),
    failed: Number(row.failed),
    total: optional(row.total, Number),
    bytes: Number(row.bytes),
    totalBytes: optional(row.total_bytes, Number),
    current: String(row.current),
    position: optional(row.position, String),
    isListed: row.is_listed === 1,
    result: optional(row.result, (text) => JSON.parse(String(text))),
    error: optional(row.error, (text) => JSON.parse(String(text))),
    createdAt: Number(row.created_at),
    startedAt: optional(row.started_at, Number),
    finishedAt: optional(row.finished_at, Number),
  };
}
