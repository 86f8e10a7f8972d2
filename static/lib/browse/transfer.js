// @ts-check
import { t } from "../i18n.js";
import { failureText, runJob } from "../jobs/run.js";
import { toast, toastError } from "../toast.js";
import { bucketUrl } from "./object_urls.js";
import { everything, isEverything } from "./copy_attributes.js";
import { sourcesOf, wayBack } from "./selection_request.js";

/** @import { Job } from "../jobs/job.js" */
/** @import { Browser } from "./browser.js" */
/** @import { CopyAttributes } from "./copy_attributes.js" */
/** @import { Entry } from "./entries.js" */

/** @typedef {"replace" | "skip" | "keep_both"} OnConflict */

/** Where objects are copied to. @typedef {{ backend: string, bucket: string, prefix: string }} Target */

/**
 * Moves rows into a folder of the same bucket; what would replace something stays where it is.
 *
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 * @param {string} prefix
 */
export function moveInto(browser, entries, prefix) {
  const target = { backend: browser.backend.id, bucket: browser.bucket, prefix };
  return transfer(browser, entries, target, { move: true, onConflict: "skip" });
}

/**
 * Copies or moves rows, by jobs of the server that go on without the page. Says what came of it, and offers to take a
 * move back.
 *
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 * @param {Target} target
 * @param {{ move: boolean, onConflict: OnConflict, name?: string, attributes?: CopyAttributes }} options `name` is a new one
 *   for a single row; without `attributes`, everything is kept
 */
export async function transfer(
  browser,
  entries,
  target,
  { move, onConflict, name, attributes = everything },
) {
  const { prefix } = browser.place.value;
  const place = placeText(browser, target);
  const n = entries.length;
  const label = move ? t("browse.moving_to", { n, place }) : t("browse.copying_to", { n, place });
  const sources = sourcesOf(prefix, entries, target.prefix, name);
  const jobs = [];
  try {
    for (const source of sources) {
      jobs.push(
        await runJob(`${browser.api}/objects/copy-prefix`, {
          ...source,
          dst_backend: target.backend,
          dst_bucket: target.bucket,
          ...attributes,
          move,
          on_conflict: onConflict,
        }, {
          label,
          onStarted: move && !browser.matching.value ? ({ id }) => browser.shownJobs.add(id) : undefined,
        }),
      );
    }
  } catch (error) {
    browser.reload();
    return toastError(move ? t("browse.move_failed") : t("browse.copy_failed"), error);
  }
  const whole = jobs.every(({ state, failed, skipped }) => state === "done" && failed + skipped === 0);
  if (move) await showMoved(browser, entries, whole);
  const done = jobs.reduce((sum, job) => sum + job.done, 0);
  const failed = jobs.find(failureText);
  if (failed) {
    return toast(failureText(failed), { kind: "error", detail: t("jobs.id", { id: failed.id }) });
  }
  const message = doneText(jobs, { done, move, place });
  // Where something was replaced, changed or got another name, the way back would be another one.
  const canGoBack = move && whole && onConflict === "skip" && isEverything(attributes);
  if (!canGoBack) return toast(message);
  browser.undo.offer(message, async () => {
    const back = bucketUrl(target.backend, target.bucket);
    for (const source of sources) {
      await runJob(`${back}/objects/copy-prefix`, {
        ...wayBack(source),
        dst_backend: browser.backend.id,
        dst_bucket: browser.bucket,
        move: true,
        on_conflict: "skip",
      }, { label: t("browse.moving_back", { n }) });
    }
    toast(t("browse.moved_back", { n }));
  });
}

/**
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 * @param {boolean} whole whether nothing of them is left
 */
async function showMoved(browser, entries, whole) {
  if (whole && !browser.matching.value) return browser.noteDeleted(entries.map(({ key }) => key));
  browser.clearSelection();
  await browser.reload();
}

/**
 * @param {readonly Job[]} jobs
 * @param {{ done: number, move: boolean, place: string }} what
 */
function doneText(jobs, { done, move, place }) {
  const skipped = jobs.reduce((sum, job) => sum + job.skipped, 0);
  const stopped = jobs.some(({ state }) => state === "stopped");
  const parts = [move ? t("browse.moved", { n: done, place }) : t("browse.copied", { n: done, place })];
  if (skipped > 0) parts.push(t("jobs.skipped", { n: skipped }));
  if (stopped) parts.push(t("jobs.stopped"));
  return parts.join(", ");
}

/**
 * A target in words, as short as it is clear from here.
 *
 * @param {Browser} browser
 * @param {Target} target
 */
export function placeText(browser, { backend, bucket, prefix }) {
  if (backend !== browser.backend.id) return `${backend}/${bucket}/${prefix}`;
  if (bucket !== browser.bucket) return `${bucket}/${prefix}`;
  return prefix === "" ? bucket : prefix;
}
