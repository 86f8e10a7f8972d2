// @ts-check
import { formatBytes, formatDuration } from "../format.js";
import { t } from "../i18n.js";
import { hasEnded } from "../jobs/job.js";
import { paceText } from "../jobs/pace.js";

/** @import { TransferSession } from "./session.js" */

/**
 * What the tray is about, in a line.
 * @param {TransferSession} session
 * @returns {string}
 */
export function trayTitle(session) {
  const figures = session.progress.figures.value;
  const jobs = session.shown.jobs.value;
  const unfinished = session.unfinished.rows.value.length;
  const running = jobs.filter(({ job }) => !hasEnded(job)).length;
  const paused = session.queue.uploads.filter(({ state }) => state === "paused").length;
  if (figures?.busy) return t("transfers.uploading", { done: figures.done, n: figures.files });
  if (running > 0) return t("transfers.jobs_running", { n: running });
  if (paused > 0) return t("transfers.all_paused", { n: paused });
  if (unfinished > 0) return t("transfers.unfinished", { n: unfinished });
  if (figures !== null && figures.failed > 0) {
    return t("transfers.uploads_failed", { failed: figures.failed, n: figures.files });
  }
  if (figures !== null && figures.done > 0) return t("transfers.uploaded", { n: figures.done });
  if (jobs.length > 0) return t("transfers.jobs_ended", { n: jobs.length });
  return figures === null ? t("transfers.title") : t("transfers.nothing_uploaded");
}

/**
 * How fast, and how long it will take.
 * @param {TransferSession} session
 */
export function trayRate(session) {
  const figures = session.progress.figures.value;
  if (!figures?.busy) {
    const [only, ...more] = session.shown.jobs.value.filter(({ job }) => !hasEnded(job));
    return only === undefined || more.length > 0 ? "" : paceText(only.job);
  }
  if (session.queue.hold.reason !== "" || figures.speed <= 0) return "";
  const rate = t("transfers.rate", { rate: formatBytes(figures.speed) });
  if (figures.secondsLeft === null || figures.secondsLeft < 1) return rate;
  return `${rate} · ${t("transfers.left", { time: formatDuration(figures.secondsLeft) })}`;
}
