// @ts-check
/// <reference lib="dom" />
import { request } from "../api.js";
import { hasEnded } from "../jobs/job.js";
import { retryJob, stopJob } from "../jobs/start.js";
import { watchJob } from "../jobs/watch.js";

/** @import { Signal } from "@preact/signals" */
/** @import { Job } from "../jobs/job.js" */
/** @import { FollowedJob } from "./center.js" */

/** Under this name the browser keeps which jobs are followed, for the pages to come. */
const storageName = "transfers.jobs";

/** Jobs that are kept at most. */
const maxKept = 20;

/** The jobs that the tray shows. They go on without it, and it finds them again after a reload. */
export class FollowedJobs {
  #jobs;
  #userId;

  /**
   * @param {Signal<readonly FollowedJob[]>} jobs
   * @param {string} userId
   */
  constructor(jobs, userId) {
    this.#jobs = jobs;
    this.#userId = userId;
  }

  /**
   * Follows a job until it has ended.
   * @param {Job} job
   * @param {string} label
   */
  follow(job, label) {
    this.#put({ job, label });
    this.#keep();
    watchJob(
      job.id,
      (changed) => {
        this.#put({ job: changed, label });
        if (hasEnded(changed)) this.#keep();
      },
      () => this.#remove([job.id]),
    );
  }

  /** Takes up the jobs of the page before. */
  async restore() {
    for (const { id, label, userId } of keptJobs()) {
      if (userId !== this.#userId || this.#jobs.value.some(({ job }) => job.id === id)) continue;
      try {
        this.follow(await request("GET", `/api/jobs/${id}`, { background: true }), label);
      } catch {
        // It is not there any more, or cannot be seen now; the page of transfers tells.
      }
    }
    this.#keep();
  }

  /** @param {string} id */
  async stop(id) {
    this.#note(await stopJob(id));
  }

  /** @param {string} id */
  async retry(id) {
    const job = await retryJob(id);
    this.follow(job, this.#jobs.value.find((followed) => followed.job.id === id)?.label ?? "");
  }

  clearEnded() {
    this.#remove(this.#jobs.value.filter(({ job }) => hasEnded(job)).map(({ job }) => job.id));
  }

  /** @param {Job} job */
  #note(job) {
    const followed = this.#jobs.value.find((other) => other.job.id === job.id);
    if (followed !== undefined) this.#put({ ...followed, job });
  }

  /** @param {FollowedJob} followed */
  #put(followed) {
    const known = this.#jobs.value.some(({ job }) => job.id === followed.job.id);
    this.#jobs.value = known
      ? this.#jobs.value.map((other) => other.job.id === followed.job.id ? followed : other)
      : [...this.#jobs.value, followed];
  }

  /** @param {readonly string[]} ids */
  #remove(ids) {
    this.#jobs.value = this.#jobs.value.filter(({ job }) => !ids.includes(job.id));
    this.#keep();
  }

  #keep() {
    const kept = this.#jobs.value.filter(({ job }) => !hasEnded(job)).slice(-maxKept)
      .map(({ job, label }) => ({ id: job.id, label, userId: this.#userId }));
    if (kept.length === 0) localStorage.removeItem(storageName);
    else localStorage.setItem(storageName, JSON.stringify(kept));
  }
}

/** @returns {{ id: string, label: string, userId: string }[]} */
function keptJobs() {
  try {
    return JSON.parse(localStorage.getItem(storageName) ?? "[]");
  } catch {
    return [];
  }
}
