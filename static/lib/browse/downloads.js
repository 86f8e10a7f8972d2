// @ts-check
/// <reference lib="dom" />
import { dismissToast, toast } from "../toast.js";
import { objectUrl } from "./object_urls.js";

/** @import { Entry } from "./entries.js" */

/** Downloads that a browser starts in a row without asking. */
const maxDownloads = 30;

/** Milliseconds between two of them: started together, all but the last would be dropped. */
const downloadGap = 300;

let folderToast = 0;

/**
 * Downloads objects, each as a file of its own; says so when there are folders or too many objects.
 * @param {string} api path of the bucket in the API
 * @param {readonly Entry[]} entries
 */
export async function downloadEach(api, entries) {
  const objects = entries.filter(({ folder }) => !folder);
  if (objects.length < entries.length) {
    dismissToast(folderToast);
    folderToast = toast("Folders cannot be downloaded yet, only the objects in them.", { kind: "info" });
  }
  if (objects.length > maxDownloads) {
    toast(`Choose up to ${maxDownloads} objects to download at once.`, { kind: "info" });
    return;
  }
  for (const [index, { key }] of objects.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, downloadGap));
    const link = document.createElement("a");
    link.href = objectUrl(api, key, "attachment");
    link.download = "";
    link.click();
  }
}
