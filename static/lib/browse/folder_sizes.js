// @ts-check
import { request } from "../api.js";
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { dismissToast, toast, toastError } from "../toast.js";
import { folderSize } from "./lazy_parts.js";

/** @import { Browser, FolderSize } from "./browser.js" */

/**
 * Has the server count what is in each listed folder, one after another, and shows each size as it comes. Ends when
 * another folder is opened.
 *
 * @param {Browser} browser
 * @param {string} prefix the open folder
 */
export async function measureFolders(browser, prefix) {
  const folders = browser.loader.listing.value.folders;
  let stopped = false;
  const progress = toast(t("browse.measuring", { n: folders.length }), {
    kind: "info",
    sticky: true,
    action: { label: t("common.stop"), run: () => stopped = true },
  });
  let bytes = 0;
  /** Folders of which not everything was counted. @type {string[]} */
  const long = [];
  try {
    for (const { key } of folders) {
      if (stopped || browser.place.value.prefix !== prefix) return;
      const size = await request("GET", `${browser.api}/prefix-size`, {
        query: { prefix: key },
        priority: "visible",
      });
      bytes += size.bytes;
      if (size.truncated) long.push(key);
      await showSize(browser, key, size);
    }
    sayMeasured(browser, { n: folders.length, size: formatBytes(bytes) }, long);
  } catch (error) {
    toastError(t("browse.measure_failed"), error);
  } finally {
    dismissToast(progress);
  }
}

/**
 * Says how much was counted, and offers to count what is more than a request has time for.
 *
 * @param {Browser} browser
 * @param {{ n: number, size: string }} sum
 * @param {readonly string[]} long
 */
function sayMeasured(browser, { n, size }, long) {
  if (long.length === 0) return toast(t("browse.measured", { n, size }), { kind: "info" });
  const run = async () => (await import("./count_folders.js")).countFolders(browser, long);
  return toast(t("browse.measured_more", { size }), {
    kind: "info",
    action: { label: t("browse.count_on"), run },
  });
}

/**
 * Has the server count what is in one folder, and shows its size. Rejects with an `ApiError`.
 *
 * @param {Browser} browser
 * @param {string} prefix
 * @param {AbortSignal} signal
 */
export async function countFolder(browser, prefix, signal) {
  const query = { prefix };
  const size = await request("GET", `${browser.api}/prefix-size`, { query, priority: "prefetch", signal });
  await showSize(browser, prefix, size);
}

/**
 * Shows what was counted in a folder.
 *
 * @param {Browser} browser
 * @param {string} prefix
 * @param {FolderSize} size
 */
export async function showSize({ folderSizes }, prefix, size) {
  await folderSize.load();
  folderSizes.value = new Map(folderSizes.value).set(prefix, size);
}
