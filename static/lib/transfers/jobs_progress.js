// @ts-check
import { signal } from "@preact/signals";
import { t } from "../i18n.js";
import { hasEnded, jobProgress } from "../jobs/job.js";
import { jobSecondsLeft, notePace } from "../jobs/pace.js";
import { jobStateText, jobTitle } from "../jobs/words.js";
import { showInTitle } from "./title.js";

/** @import { FollowedJob } from "./center.js" */

/** Parts of the whole after which it is said how far a job is. */
const announcedSteps = 4;

/** Follows how far the jobs are that the tray shows: for the title and screen readers. */
export class JobsProgress {
  /** What screen readers are to say. */
  announcement = signal("");
  /** The step that was said last, of each job that goes on. @type {Map<string, number>} */
  #steps = new Map();

  /**
   * Takes note of where the jobs are.
   * @param {readonly FollowedJob[]} followed
   */
  update(followed) {
    for (const one of followed) this.#announce(one);
    const running = followed.map(({ job }) => job).filter((job) => !hasEnded(job));
    const known = running.map(jobProgress).filter((fraction) => fraction !== null);
    const fraction = known.reduce((total, one) => total + one, 0) / running.length;
    const times = running.map(jobSecondsLeft).filter((seconds) => seconds !== null);
    // Jobs run beside each other: all are over when the slowest is.
    const secondsLeft = times.length < running.length ? null : Math.max(...times);
    showInTitle("jobs", known.length === 0 ? null : { fraction, secondsLeft });
  }

  /** @param {FollowedJob} followed */
  #announce({ job, label }) {
    notePace(job);
    const title = label || jobTitle(job);
    const last = this.#steps.get(job.id);
    if (hasEnded(job)) {
      if (this.#steps.delete(job.id)) this.announcement.value = `${title}: ${jobStateText(job)}`;
      return;
    }
    const step = Math.floor((jobProgress(job) ?? 0) * announcedSteps);
    this.#steps.set(job.id, step);
    if (last === undefined) this.announcement.value = title;
    else if (step > last) {
      const percent = step * 100 / announcedSteps;
      this.announcement.value = t("transfers.announce_job_step", { title, percent });
    }
  }
}
