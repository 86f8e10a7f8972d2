// @ts-check
import { t } from "../i18n.js";
import { jobTitle } from "../jobs/words.js";

/** @import { Upload } from "../upload/upload.js" */
/** @import { FollowedJob } from "./center.js" */

/**
 * What failed, as text for whoever is to help.
 * @param {readonly Upload[]} uploads
 * @param {readonly FollowedJob[]} jobs
 * @param {Date} now
 */
export function errorReport(uploads, jobs, now) {
  const lines = [t("transfers.report_title", { time: now.toISOString() })];
  for (const { batch, key, state, error } of uploads) {
    if (state === "failed") lines.push(`s3://${batch.bucket}/${key} (${batch.backend}): ${error}`);
  }
  for (const { job, label } of jobs) {
    if (job.failed === 0 && job.error === undefined) continue;
    lines.push(`${label || jobTitle(job)} (${job.id}): ${job.error?.message ?? job.state}`);
    for (const { key, code, message } of job.errors ?? []) lines.push(`  ${key}: ${code}: ${message}`);
  }
  return lines.join("\n");
}
