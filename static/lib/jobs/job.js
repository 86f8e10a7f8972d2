// @ts-check

/** @typedef {"copy" | "transfer" | "copy_prefix" | "transfer_prefix" | "delete_prefix" | "measure"} JobKind */

/** @typedef {"queued" | "running" | "stopping" | "done" | "failed" | "stopped" | "interrupted"} JobState */

/** @typedef {{ key: string, version_id?: string, code: string, message: string, detail?: Record<string, any> }} JobFailure */

/**
 * A job of the server, as `GET /api/jobs/{id}` answers it.
 *
 * @typedef {object} Job
 * @property {string} id
 * @property {JobKind} kind
 * @property {JobState} state
 * @property {string} user_id
 * @property {Record<string, any>} spec what it was asked to do
 * @property {number} done objects dealt with
 * @property {number} skipped
 * @property {number} failed
 * @property {number} [total] objects in all, once that is known
 * @property {number} bytes
 * @property {number} [total_bytes]
 * @property {string} current the key that was begun last
 * @property {Record<string, any>} [result]
 * @property {{ code: string, message: string }} [error] why it could not go on
 * @property {boolean} can_retry
 * @property {string} created_at
 * @property {string} [started_at]
 * @property {string} [finished_at]
 * @property {JobFailure[]} [errors] the first failures, once it has ended
 * @property {Record<string, number>} [failed_by_code] how many failed for which reason
 */

/** @type {readonly JobState[]} */
const endStates = ["done", "failed", "stopped", "interrupted"];

/**
 * Whether a job goes on no further by itself.
 *
 * @param {Pick<Job, "state">} job
 */
export function hasEnded({ state }) {
  return endStates.includes(state);
}

/**
 * How far a job is.
 *
 * @param {Job} job
 * @returns {number | null} 0 to 1; `null` while nobody knows
 */
export function jobProgress({ state, done, skipped, failed, total, bytes, total_bytes: totalBytes }) {
  if (state === "done") return 1;
  if (totalBytes !== undefined && totalBytes > 0 && bytes > 0) return Math.min(1, bytes / totalBytes);
  if (total === undefined || total === 0) return null;
  return Math.min(1, (done + skipped + failed) / total);
}

/**
 * The places whose objects a job changed.
 *
 * @param {Job} job
 * @returns {{ backend: string, bucket: string, prefix: string }[]}
 */
export function changedPlaces({ kind, spec }) {
  const { backend, bucket } = spec;
  if (kind === "measure") return [];
  if (kind === "delete_prefix") return [{ backend, bucket, prefix: spec.prefix }];
  const single = kind === "copy" || kind === "transfer";
  const source = { backend, bucket, prefix: single ? spec.src_key : spec.src_prefix };
  const target = {
    backend: spec.dst_backend,
    bucket: spec.dst_bucket,
    prefix: single ? spec.dst_key : spec.dst_prefix,
  };
  return spec.move ? [source, target] : [target];
}
