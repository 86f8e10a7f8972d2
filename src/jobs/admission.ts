import { Problem, tooMany } from "../problem.ts";
import type { StoredJob } from "../store/jobs_repository.ts";
import type { JobLock } from "./job.ts";
import { collide } from "./locks.ts";

/** Jobs of one user that may wait or run. */
const maxOpenOfUser = 100;

/**
 * Locks that the open jobs of one user may hold together. A job has up to two for each object and folder that is selected:
 * with all that a selection holds they are in memory, and looked through whenever a job starts.
 */
const maxLocksOfUser = 40_000;

/**
 * Checks that a job may be opened beside those that are open. Throws 409 `conflict` while one of them works on the same
 * objects, 429 `rate_limited` when the user has too many, or too much selected in them.
 */
export function requireRoom(open: Iterable<StoredJob>, locks: readonly JobLock[], userId: string): void {
  let jobsOfUser = 0;
  let locksOfUser = locks.length;
  for (const job of open) {
    if (job.userId === userId) {
      jobsOfUser++;
      locksOfUser += job.locks.length;
    }
    if (!collide(job.locks, locks)) continue;
    throw new Problem(409, "conflict", "Another job works on these objects. Wait for it, or stop it.", {
      detail: job.userId === userId ? { job_id: job.id } : undefined,
    });
  }
  if (jobsOfUser >= maxOpenOfUser) throw tooMany(10, "Too many jobs are open. Wait for some of them.");
  if (locksOfUser <= maxLocksOfUser) return;
  throw tooMany(
    10,
    "Too many objects are selected in the jobs that are open. Wait for some of them, or choose whole folders.",
  );
}
