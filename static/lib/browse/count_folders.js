// @ts-check
import { t } from "../i18n.js";
import { runJob } from "../jobs/run.js";
import { toastError } from "../toast.js";
import { showSize } from "./folder_sizes.js";

/** @import { Browser } from "./browser.js" */

/**
 * Has the server count all that is in folders, by a job for each, which goes on without the page.
 *
 * @param {Browser} browser
 * @param {readonly string[]} folders
 */
export async function countFolders(browser, folders) {
  try {
    for (const prefix of folders) {
      const label = t("browse.counting_folder", { folder: prefix });
      const { state, done, bytes } = await runJob(`${browser.api}/objects/measure`, { prefix }, { label });
      if (state !== "done") return;
      const computed_at = new Date().toISOString();
      await showSize(browser, prefix, { count: done, bytes, computed_at, truncated: false });
    }
  } catch (error) {
    toastError(t("browse.measure_failed"), error);
  }
}
