// @ts-check

/** @import { Upload } from "./upload.js" */

/**
 * A queue in figures.
 *
 * @typedef {object} Totals
 * @property {number} files
 * @property {number} done files stored
 * @property {number} failed
 * @property {number} open files still to be sent or asked about
 * @property {number} bytes of all files that are or will be sent
 * @property {number} sent bytes
 */

/**
 * @param {readonly Upload[]} uploads
 * @returns {Totals}
 */
export function totalsOf(uploads) {
  const totals = { files: 0, done: 0, failed: 0, open: 0, bytes: 0, sent: 0 };
  for (const { state, size, sent } of uploads) {
    if (state === "cancelled" || state === "skipped") continue;
    totals.files++;
    if (state === "failed") {
      totals.failed++;
      continue;
    }
    totals.bytes += size;
    totals.sent += Math.min(sent, size);
    if (state === "done") totals.done++;
    else totals.open++;
  }
  return totals;
}

/**
 * How much is done, 0 to 1. Files count a little besides bytes, so that a batch of empty files moves too.
 *
 * @param {Totals} totals
 */
export function fractionDone({ files, failed, done, bytes, sent }) {
  const perFile = 4096;
  const whole = bytes + (files - failed) * perFile;
  return whole === 0 ? 1 : (sent + done * perFile) / whole;
}
