// @ts-check
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { hasEnded } from "./job.js";

/** @import { Job } from "./job.js" */
/** @import { MessageKey } from "../i18n.js" */

/** @type {Readonly<Record<Job["state"], MessageKey>>} */
const states = {
  queued: "jobs.queued",
  running: "jobs.running",
  stopping: "jobs.stopping",
  done: "jobs.done",
  failed: "jobs.failed",
  stopped: "jobs.stopped",
  interrupted: "jobs.interrupted",
};

/** @type {Readonly<Record<"ok" | "warn" | "bad" | "info", readonly Job["state"][]>>} */
const kinds = {
  ok: ["done"],
  warn: ["stopped", "interrupted"],
  bad: ["failed"],
  info: ["queued", "running", "stopping"],
};

/**
 * A job's state in a word.
 *
 * @param {Job} job
 */
export function jobStateText(job) {
  return job.state === "done" && job.failed > 0
    ? t("jobs.done_with_failures", { n: job.failed })
    : t(states[job.state]);
}

/**
 * How a job's state is to look.
 *
 * @param {Job} job
 * @returns {"ok" | "warn" | "bad" | "info"}
 */
export function jobStateKind({ state, failed }) {
  if (state === "done" && failed > 0) return "warn";
  if (kinds.ok.includes(state)) return "ok";
  if (kinds.bad.includes(state)) return "bad";
  return kinds.warn.includes(state) ? "warn" : "info";
}

/**
 * What a job does, such as `Moving logs/ to archive/logs/`.
 *
 * @param {Job} job
 */
export function jobTitle({ kind, spec, state }) {
  const over = hasEnded({ state });
  if (kind === "measure") return t("jobs.measure_title", { place: placeOf(spec.bucket, spec.prefix) });
  if (kind === "delete_prefix") {
    const place = placeOf(spec.bucket, spec.prefix);
    const { selected: n = 1 } = spec;
    if (n > 1) {
      return over
        ? t("jobs.delete_some_title_over", { n, place })
        : t("jobs.delete_some_title", { n, place });
    }
    return over ? t("jobs.delete_title_over", { place }) : t("jobs.delete_title", { place });
  }
  const from = spec.src_key ?? spec.src_prefix;
  const to = spec.dst_key ?? spec.dst_prefix;
  const elsewhere = spec.dst_backend !== spec.backend || spec.dst_bucket !== spec.bucket;
  const params = {
    from: from === "" ? spec.bucket : from,
    to: elsewhere ? placeOf(`${spec.dst_backend}/${spec.dst_bucket}`, to) : to === "" ? spec.bucket : to,
  };
  if (spec.move) return over ? t("jobs.move_title_over", params) : t("jobs.move_title", params);
  return over ? t("jobs.copy_title_over", params) : t("jobs.copy_title", params);
}

/**
 * How far a job is, in figures: `120 of 1,204 objects · 3.4 MiB of 12 GiB · 3 failed`.
 *
 * @param {Job} job
 */
export function jobFigures(job) {
  const { done, skipped, failed, total, bytes, total_bytes: totalBytes } = job;
  const parts = [
    total === undefined || total === done
      ? t("common.objects", { n: done })
      : t("jobs.of_objects", { n: total, done }),
  ];
  if (totalBytes !== undefined && totalBytes > bytes) {
    parts.push(t("jobs.of_bytes", { done: formatBytes(bytes), total: formatBytes(totalBytes) }));
  } else if (bytes > 0) parts.push(formatBytes(bytes));
  if (skipped > 0) parts.push(t("jobs.skipped", { n: skipped }));
  if (failed > 0) parts.push(t("jobs.failed_count", { n: failed }));
  return parts.join(" · ");
}

/**
 * @param {string} bucket
 * @param {string} prefix
 */
function placeOf(bucket, prefix) {
  return prefix === "" ? bucket : `${bucket}/${prefix}`;
}
