// @ts-check
/// <reference lib="dom" />
import { request } from "../api.js";
import { openDialog } from "../dialog.js";
import { html } from "../html.js";
import { t } from "../i18n.js";
import { loadStyles } from "../styles.js";
import { toast, toastError } from "../toast.js";
import { deleteEntries, undelete } from "./deletion.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { Browser } from "./browser.js" */
/** @import { Deletion } from "./deletion.js" */
/** @import { Entry } from "./entries.js" */

/**
 * Deletes rows. A single object that can be brought back goes at once; for anything else it is named first what and how
 * much goes.
 *
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 */
export async function removeEntries(browser, entries) {
  const { prefix } = browser.place.value;
  const versioned = await keepsVersions(browser);
  if (versioned === true && entries.length === 1 && !entries[0].folder) {
    return await remove(browser, entries, { prefix, versions: false });
  }
  const agreed = await ask({ browser, prefix, entries, versioned });
  if (agreed !== undefined) await remove(browser, entries, { prefix, ...agreed });
}

/**
 * Deletes an object with all its versions and delete markers, once that is confirmed.
 *
 * @param {Browser} browser
 * @param {Entry} entry
 */
export async function removeAllVersions(browser, entry) {
  const { prefix } = browser.place.value;
  const agreed = await ask({ browser, prefix, entries: [entry], versioned: true, allVersions: true });
  if (agreed !== undefined) await remove(browser, [entry], { prefix, versions: true });
}

/**
 * Names what goes; gives what was agreed to.
 *
 * @param {Omit<import("./delete_dialog.js").DeleteProps, keyof DialogControls<unknown>>} props
 */
async function ask(props) {
  const [{ DeleteForm }] = await Promise.all([import("./delete_dialog.js"), loadStyles("lazy.css")]);
  return await openDialog(
    /** @param {DialogControls<{ versions: boolean }>} controls */
    (controls) => html`<${DeleteForm} ...${controls} ...${props} />`,
    { size: "small", described: true },
  );
}

/**
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 * @param {{ prefix: string, versions: boolean }} how `prefix`: the folder of the rows
 */
async function remove(browser, entries, { prefix, versions }) {
  const { matching } = browser;
  const whole = matching.value;
  let deletion;
  try {
    deletion = await deleteEntries(browser.api, entries, {
      prefix,
      versions,
      label: (n) => t("browse.deleting", { n, name: entries[0].name || browser.bucket }),
      onJob: ({ id }) => whole || browser.shownJobs.add(id),
    });
  } catch (error) {
    browser.reload();
    return toastError(t("browse.delete_failed"), error);
  }
  if (whole) {
    browser.clearSelection();
    await browser.reload();
  } else {
    browser.noteDeleted(deletion.gone);
    // The buttons for what was selected go with it.
    if (document.activeElement?.closest(".browser-toolbar")) document.getElementById("objects")?.focus();
    // Of a folder that is still there, and of what a job was stopped at, part may have gone.
    if (deletion.errors.length > 0 || isStopped(deletion)) browser.reload();
  }
  tell(browser, deletion, versions);
}

/**
 * @param {Browser} browser
 * @param {Deletion} deletion
 * @param {boolean} versions
 */
async function tell(browser, deletion, versions) {
  const { deleted: n, errors, jobs, markers } = deletion;
  await tellFailures(deletion);
  if (errors.length > 0 && n === 0) return;
  if (versions) {
    return toast(
      isStopped(deletion) ? t("browse.deleted_versions_stopped", { n }) : t("browse.deleted_versions", { n }),
    );
  }
  const message = isStopped(deletion) ? t("browse.deleted_stopped", { n }) : t("browse.deleted", { n });
  const versioned = markers.length > 0 || (jobs.length > 0 && await keepsVersions(browser) === true);
  if (!versioned) return toast(message);
  browser.undo.offer(message, async () => {
    const back = await undelete(browser.api, deletion);
    await browser.reload();
    toast(t("browse.undeleted", { n: back }));
  });
}

/** @param {Deletion} deletion */
function isStopped({ jobs }) {
  return jobs.some(({ job }) => job.state === "stopped");
}

/**
 * Says what was not deleted; what is locked, apart from the rest.
 *
 * @param {Deletion} deletion
 */
async function tellFailures({ errors, jobs, failedIn }) {
  if (errors.length === 0) return;
  const facts = /** @type {const} */ ({ kind: "error", detail: failedIn.join(" · ") });
  const { describeLocked, isLocked } = await import("../jobs/locked.js");
  const others = errors.filter((failure) => !isLocked(failure));
  if (others.length > 0) {
    const [{ key, message }] = others;
    toast(
      others.length === 1
        ? t("browse.not_deleted", { key, message })
        : t("browse.some_not_deleted", { key, message, n: others.length - 1 }),
      facts,
    );
  }
  const [only] = jobs;
  const stay = describeLocked(errors, jobs.length === 1 ? only.job.failed_by_code : undefined);
  if (stay !== null) toast(`${stay.summary} ${stay.advice}`, facts);
}

/**
 * Whether the bucket keeps what is deleted; `null` where that cannot be known.
 *
 * @param {Browser} browser
 * @returns {Promise<boolean | null>}
 */
async function keepsVersions({ api, backend }) {
  try {
    const { capabilities } = await request("GET", `/api/backends/${encodeURIComponent(backend.id)}`);
    if (capabilities.versioning !== true) return capabilities.versioning === false ? false : null;
    const { enabled } = await request("GET", `${api}/versioning`);
    return enabled === true;
  } catch {
    return null;
  }
}
