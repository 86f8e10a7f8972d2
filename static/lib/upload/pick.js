// @ts-check
/// <reference lib="dom" />
import { t } from "../i18n.js";
import { toastError } from "../toast.js";

/** @import { FoundFile } from "./walk.js" */

/**
 * Lets the user pick files in a way that the browser can find them again after a reload; says itself what goes wrong. Only for
 * browsers with `showOpenFilePicker`. Folders are picked by an input everywhere: `showDirectoryPicker` refuses such as the
 * user's downloads and documents.
 * @returns {Promise<FoundFile[] | null>} `null` when the user picks none
 */
export async function pickFiles() {
  try {
    /** @type {FileSystemFileHandle[]} */
    const handles = await /** @type {any} */ (globalThis).showOpenFilePicker({
      multiple: true,
      id: "upload",
    });
    return await Promise.all(handles.map(async (handle) => ({
      file: await handle.getFile(),
      path: handle.name,
      handle,
    })));
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) {
      toastError(t("upload.pick_failed"), error);
    }
    return null;
  }
}
