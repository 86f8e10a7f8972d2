// @ts-check
/// <reference lib="dom" />
import { apiError } from "../api.js";
import { t } from "../i18n.js";
import { startJob } from "./start.js";
import { jobEnd } from "./watch.js";

/** @import { Job } from "./job.js" */

/** Milliseconds after which a job that goes on is shown among the transfers. */
const shownAfter = 700;

/**
 * Starts a job and waits for its end. One that takes longer is shown among the transfers, and so is one with failures,
 * which lists them.
 *
 * @param {string} path of the API; the job is started by a `POST`
 * @param {unknown} json
 * @param {{ label: string, onStarted?: (job: Job) => void }} options
 * @returns {Promise<Job>} rejects where it was refused, or could not go on
 */
export async function runJob(path, json, { label, onStarted }) {
  const started = await startJob("POST", path, json);
  onStarted?.(started);
  let followed = false;
  const follow = async () => {
    if (followed) return;
    followed = true;
    const { transfers } = await import("../transfers/center.js");
    await transfers.followJob(started, { label });
  };
  const timer = setTimeout(follow, shownAfter);
  try {
    const ended = await jobEnd(started.id);
    if (ended.failed > 0 && ended.errors !== undefined && ended.errors.length > 1) follow();
    if (ended.error !== undefined) throw await apiError({ status: 0, ...ended.error });
    return { ...ended, errors: await inWords(ended.errors ?? []) };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What failed, in words of the page's language.
 *
 * @template {{ key: string, code: string, message: string }} Failed
 * @param {readonly Failed[]} failures
 */
export async function inWords(failures) {
  if (failures.length === 0) return [];
  const { errorText } = await import("../error_texts.js");
  return failures.map((failure) => ({ ...failure, message: errorText(failure) }));
}

/**
 * What went wrong with single objects of a job, in a sentence; empty when nothing did.
 *
 * @param {Job} job
 */
export function failureText({ failed, errors = [] }) {
  if (failed === 0 || errors.length === 0) return "";
  const [{ key, message }] = errors;
  return failed === 1
    ? t("jobs.one_failed", { key, message })
    : t("jobs.some_failed", { key, message, n: failed - 1 });
}
