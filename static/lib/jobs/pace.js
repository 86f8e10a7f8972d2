// @ts-check
/// <reference lib="dom" />
import { formatBytes, formatDuration } from "../format.js";
import { t } from "../i18n.js";
import { Speed } from "../upload/speed.js";
import { hasEnded } from "./job.js";

/** @import { Job } from "./job.js" */

/** How fast the jobs that are shown get on. @type {Map<string, Speed>} */
const speeds = new Map();

/** Kinds of jobs by which bytes go from one place to another. @type {readonly Job["kind"][]} */
const moving = ["copy", "transfer", "copy_prefix", "transfer_prefix"];

/**
 * Takes note of how far a job is.
 * @param {Job} job
 */
export function notePace(job) {
  if (hasEnded(job)) return void speeds.delete(job.id);
  const speed = speeds.get(job.id) ?? new Speed();
  speeds.set(job.id, speed);
  speed.add(measureOf(job).done, performance.now());
}

/**
 * In how many seconds a job will be over; `null` as long as that is not known.
 * @param {Job} job
 */
export function jobSecondsLeft(job) {
  const { done, total } = measureOf(job);
  if (job.state !== "running" || total === undefined) return null;
  return speeds.get(job.id)?.secondsLeft(total - done, performance.now()) ?? null;
}

/**
 * How fast a job gets on and how long it will take, as in `12 MiB/s · 4 min left`; empty as long as that is not known.
 * @param {Job} job
 */
export function paceText(job) {
  const speed = speeds.get(job.id);
  if (speed === undefined || job.state !== "running") return "";
  const rate = speed.bytesPerSecond(performance.now());
  const left = jobSecondsLeft(job);
  return [
    measureOf(job).isBytes && rate > 0 && t("transfers.rate", { rate: formatBytes(rate) }),
    left !== null && left >= 1 && t("transfers.left", { time: formatDuration(left) }),
  ].filter(Boolean).join(" · ");
}

/**
 * By what a job's pace is measured: bytes where these are what takes the time, else objects.
 * @param {Job} job
 */
function measureOf({ kind, done, skipped, failed, total, bytes, total_bytes: totalBytes }) {
  return moving.includes(kind) && totalBytes
    ? { done: bytes, total: totalBytes, isBytes: true }
    : { done: done + skipped + failed, total, isBytes: false };
}
