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
  const versioned = await keepsVersions(browser);
  let versions = false;
  if (versioned !== true || entries.length > 1 || entries[0].folder) {
    const [{ DeleteForm }] = await Promise.all([import("./delete_dialog.js"), loadStyles("lazy.css")]);
    const agreed = await openDialog(
      /** @param {DialogControls<{ versions: boolean }>} controls */
      (controls) =>
        html`<${DeleteForm} ...${controls} browser=${browser} entries=${entries} versioned=${versioned} />`,
      { size: "small", described: true },
    );
    if (agreed === undefined) return;
    ({ versions } = agreed);
  }
  await remove(browser, entries, versions);
}

/**
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 * @param {boolean} versions
 */
async function remove(browser, entries, versions) {
  const { matching } = browser;
  const whole = matching.value;
  let deletion;
  try {
    deletion = await deleteEntries(browser.api, entries, {
      versions,
      label: t("browse.deleting", { n: entries.length, name: entries[0].name || browser.bucket }),
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
    // Of a folder that is still there, part may have gone.
    if (deletion.errors.length > 0) browser.reload();
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
  const stopped = jobs.some(({ state }) => state === "stopped");
  const message = stopped ? t("browse.deleted_stopped", { n }) : t("browse.deleted", { n });
  const versioned = markers.length > 0 || (jobs.length > 0 && await keepsVersions(browser) === true);
  if (versions || !versioned) return toast(message);
  browser.undo.offer(message, async () => {
    const back = await undelete(browser.api, deletion);
    await browser.reload();
    toast(t("browse.undeleted", { n: back }));
  });
}

/**
 * Says what was not deleted; what is locked, apart from the rest.
 *
 * @param {Deletion} deletion
 */
async function tellFailures({ errors, jobs }) {
  if (errors.length === 0) return;
  const { describeLocked, isLocked } = await import("../jobs/locked.js");
  const others = errors.filter((failure) => !isLocked(failure));
  if (others.length > 0) {
    const [{ key, message }] = others;
    toast(
      others.length === 1
        ? t("browse.not_deleted", { key, message })
        : t("browse.some_not_deleted", { key, message, n: others.length - 1 }),
      { kind: "error" },
    );
  }
  const [only] = jobs;
  const stay = describeLocked(errors, jobs.length === 1 ? only.failed_by_code : undefined);
  if (stay !== null) toast(`${stay.summary} ${stay.advice}`, { kind: "error" });
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
