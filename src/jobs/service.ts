import type { AuditWriter } from "../audit/writer.ts";
import { roleIncludes } from "../auth/principal.ts";
import type { UserDirectory } from "../auth/user_directory.ts";
import type { Logger } from "../logging/logger.ts";
import { conflict, notFound, Problem } from "../problem.ts";
import type { Database } from "../store/database.ts";
import {
  countJobFailures,
  deleteJobsEndedBefore,
  findJob,
  insertJob,
  interruptOpenJobs,
  listJobFailures,
  listJobs,
  openStates,
  type StoredJob,
} from "../store/jobs_repository.ts";
import { ActiveJob } from "./active_job.ts";
import { requireRoom } from "./admission.ts";
import { jobEndEvent } from "./audit.ts";
import type { EndState, Job, JobFailure, JobKind, JobLock, JobSpec, JobState } from "./job.ts";
import { inOrder } from "./locks.ts";
import { JobQueue } from "./queue.ts";
import { canRetry, neededRole, toJobError } from "./rules.ts";
import type { JobRunner } from "./run.ts";

/** What {@link JobService} needs. */
export interface JobServiceDeps {
  readonly database: Database;
  readonly users: UserDirectory;
  readonly audit: AuditWriter;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** A new id, unguessable. */
  readonly newId: () => string;
  readonly runners: Readonly<Partial<Record<JobKind, JobRunner>>>;
}

/** A job that is to be started. */
export interface JobRequest {
  readonly kind: JobKind;
  readonly userId: string;
  /** See {@link Job.spec}. */
  readonly spec: JobSpec;
  /** What no other job may change meanwhile. */
  readonly locks: readonly JobLock[];
  /** Whether a request waits for its end; it does not queue then. */
  readonly isAwaited: boolean;
}

/** Which jobs are asked for; see `listJobs`. */
export interface JobListQuery {
  readonly userId?: string;
  /** Id of the last job of the page before. */
  readonly after?: string;
  readonly limit: number;
}

/** How long jobs that have ended are kept, in milliseconds. */
const retentionMs = 30 * 24 * 3_600_000;
const sweepIntervalMs = 3_600_000;

/** Jobs: started, followed, stopped and done again. */
export class JobService {
  readonly #deps: JobServiceDeps;
  readonly #active = new Map<string, ActiveJob>();
  readonly #queue = new JobQueue();
  readonly #ended = { done: 0, failed: 0, stopped: 0, interrupted: 0 };
  readonly #sweeper: ReturnType<typeof setInterval>;
  #isClosing = false;

  constructor(deps: JobServiceDeps) {
    this.#deps = deps;
    interruptOpenJobs(deps.database, deps.clock());
    this.#sweep();
    this.#sweeper = setInterval(() => this.#sweep(), sweepIntervalMs);
  }

  /** Starts a job. Throws 503 `shutting_down`, and as `requireRoom` does. */
  start({ kind, userId, spec, isAwaited, ...request }: JobRequest): Job {
    const { database, clock, newId } = this.#deps;
    const locks = inOrder(request.locks);
    this.#requireFree(locks, userId);
    const job: StoredJob = {
      id: newId(),
      kind,
      userId,
      spec,
      locks,
      state: "queued",
      runs: 0,
      done: 0,
      skipped: 0,
      failed: 0,
      bytes: 0,
      current: "",
      isListed: false,
      createdAt: clock(),
    };
    insertJob(database, job);
    this.#open(job, isAwaited);
    return job;
  }

  /**
   * Does again what failed in a job, and goes on where it has ended. Throws 404 `not_found`, 409 `conflict` while it runs or
   * when nothing of it is left to do, and as {@link start} does.
   */
  retry(id: string): Job {
    const job = this.#stored(id);
    if (openStates.includes(job.state)) throw conflict("The job has not ended yet.");
    if (!canRetry(job)) throw conflict("Nothing of the job is left to do.");
    this.#requireFree(job.locks, job.userId);
    const queued: StoredJob = { ...job, state: "queued", error: undefined, finishedAt: undefined };
    this.#open(queued, false).save();
    return queued;
  }

  /** A job. Throws 404 `not_found`. */
  get(id: string): Job {
    return this.#stored(id);
  }

  /** A page of jobs, newest first. */
  list({ userId, after, limit }: JobListQuery): Job[] {
    const { database } = this.#deps;
    const last = after === undefined ? undefined : this.#stored(after);
    return listJobs(database, { userId, after: last, limit }).map((job) =>
      this.#active.get(job.id)?.job ?? job
    );
  }

  /** How many jobs are in each state: of those that have ended, how many did since the program began. */
  counts(): Record<JobState, number> {
    const counts = { queued: 0, running: 0, stopping: 0, ...this.#ended };
    for (const { job } of this.#active.values()) counts[job.state]++;
    return counts;
  }

  /** The objects that a job failed at, the first `limit` of them by key. */
  failures(id: string, limit: number): JobFailure[] {
    this.#active.get(id)?.save();
    return listJobFailures(this.#deps.database, id, limit);
  }

  /** How many objects a job failed at, by the code of why. */
  failedByCode(id: string): Record<string, number> {
    this.#active.get(id)?.save();
    return countJobFailures(this.#deps.database, id);
  }

  /** Resolves when a job has ended, with how it ended. Throws 404 `not_found`. */
  async finished(id: string): Promise<Job> {
    return await (this.#active.get(id)?.ended ?? this.#stored(id));
  }

  /**
   * Calls `listener` whenever a job has changed, until the returned function is called; `undefined` for a job that has
   * ended.
   */
  subscribe(id: string, listener: () => void): (() => void) | undefined {
    const active = this.#active.get(id);
    active?.listeners.add(listener);
    return active && (() => active.listeners.delete(listener));
  }

  /** Begins nothing more of a job; called again, what is under way is broken off. Throws 404, 409 when it has ended. */
  stop(id: string): Job {
    const active = this.#active.get(id);
    if (active === undefined) {
      this.#stored(id);
      throw conflict("The job has ended already.");
    }
    if (active.stopping.aborted) active.breakOff();
    active.stop();
    if (this.#queue.waiting.includes(active)) this.#end(active, "stopped", {});
    else active.setState("stopping");
    return active.job;
  }

  /** Starts no more jobs, and breaks off those that nobody waits for. Resolves when they have ended. */
  async interrupt(): Promise<void> {
    this.#isClosing = true;
    for (const active of [...this.#queue.waiting]) this.#end(active, "interrupted", {});
    const running = [...this.#queue.running];
    for (const active of running) active.breakOff();
    await Promise.all(running.map(({ ended }) => ended));
  }

  /** Whether the service is ending, so that nobody should wait for a job's end. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Breaks off every job. To be called before the database is closed. */
  close(): void {
    this.#isClosing = true;
    clearInterval(this.#sweeper);
    for (const active of [...this.#active.values()]) {
      active.breakOff();
      this.#end(active, "interrupted", {});
    }
  }

  #requireFree(locks: readonly JobLock[], userId: string): void {
    if (this.#isClosing) throw new Problem(503, "shutting_down", "The service is shutting down.");
    requireRoom([...this.#active.values()].map(({ job }) => job), locks, userId);
  }

  #open(job: StoredJob, isAwaited: boolean): ActiveJob {
    const isPermitted = () => this.#isPermitted(job);
    const active = new ActiveJob(job, { database: this.#deps.database, isPermitted });
    this.#active.set(job.id, active);
    if (isAwaited) void this.#run(active);
    else {
      this.#queue.add(active);
      this.#startNext();
    }
    return active;
  }

  #startNext(): void {
    for (let next = this.#queue.next(); next !== undefined; next = this.#queue.next()) void this.#run(next);
  }

  async #run(active: ActiveJob): Promise<void> {
    const { clock, runners } = this.#deps;
    const { job } = active;
    // The request that starts a job is answered before any of its work is begun.
    await Promise.resolve();
    try {
      active.setState("running", { startedAt: job.startedAt ?? clock(), runs: job.runs + 1 });
      const runner = runners[job.kind];
      if (runner === undefined) throw new Problem(500, "internal", "There is nothing that runs such a job.");
      active.requirePermission();
      await runner(active);
      if (this.#isComplete(active)) this.#end(active, "done", {});
      else this.#endBy(active, active.stopping.reason);
    } catch (error) {
      this.#endBy(active, error);
    } finally {
      this.#startNext();
    }
  }

  /** A runner returns when everything is done, and also when it was told to begin nothing more. */
  #isComplete({ job, stopping }: ActiveJob): boolean {
    return !stopping.aborted || job.isListed;
  }

  #endBy(active: ActiveJob, error: unknown): void {
    const reason = active.signal.reason;
    if (reason instanceof Problem) return this.#end(active, "failed", { error: toJobError(reason) });
    if (this.#isClosing) return this.#end(active, "interrupted", {});
    if (active.stopping.aborted) return this.#end(active, "stopped", {});
    if (!(error instanceof Problem)) {
      this.#deps.logger.error("a job failed unexpectedly", {
        job_id: active.job.id,
        error: error instanceof Error ? error.stack ?? error.message : String(error),
      });
    }
    const problem = error instanceof Problem
      ? error
      : new Problem(500, "internal", "Something went wrong on the server.");
    this.#end(active, "failed", { error: toJobError(problem) });
  }

  #end(active: ActiveJob, state: EndState, changes: Partial<StoredJob>): void {
    const { job } = active;
    if (!this.#active.delete(job.id)) return;
    this.#ended[state]++;
    const { audit, clock, logger } = this.#deps;
    const isDetached = this.#queue.delete(active);
    try {
      active.end(state, { ...changes, finishedAt: clock() });
    } catch (error) {
      logger.error("the end of a job could not be saved", { job_id: job.id, error: String(error) });
    }
    // The writer logs what it could not write, and nobody waits for this row.
    if (isDetached) audit.record(jobEndEvent(job, clock())).catch(() => {});
  }

  #stored(id: string): StoredJob {
    const job = this.#active.get(id)?.job ?? findJob(this.#deps.database, id);
    if (job === undefined) throw notFound("There is no such job.");
    return job;
  }

  #isPermitted({ kind, userId }: Job): boolean {
    const user = this.#deps.users.find(userId);
    return user !== null && user.enabled && roleIncludes(user.role, neededRole(kind));
  }

  #sweep(): void {
    deleteJobsEndedBefore(this.#deps.database, this.#deps.clock() - retentionMs);
  }
}
