// @ts-check
/// <reference lib="dom" />
import { toast } from "../toast.js";
import { pickedFiles } from "../upload/walk.js";
import { parentOf } from "./address.js";
import { askDelete } from "./delete_dialog.js";
import { askNewFolder } from "./folder_dialog.js";
import { objectUrl } from "./object_urls.js";

/** @import { Browser } from "./browser.js" */
/** @import { Entry } from "./entries.js" */
/** @import { Uploads } from "../upload/uploads.js" */

/** Downloads that a browser starts in a row without asking. */
const maxDownloads = 10;

/** Milliseconds between two of them: started together, all but the last would be dropped. */
const downloadGap = 300;

/** What buttons, keys and drops do in the browser. */
export class BrowserActions {
  /** Opens the chooser for files; set by the toolbar. */
  pickFiles = () => {};
  /** Opens the chooser for a folder; set by the toolbar. */
  pickFolder = () => {};
  #browser;
  #uploads;

  /**
   * @param {Browser} browser
   * @param {Uploads} uploads
   */
  constructor(browser, uploads) {
    this.#browser = browser;
    this.#uploads = uploads;
  }

  /**
   * Opens a folder, or an object's details.
   * @param {Entry} entry
   */
  open(entry) {
    if (entry.folder) this.#browser.go(entry.key);
    else this.#browser.showDetails(entry.key);
  }

  goUp() {
    const { prefix } = this.#browser.place.value;
    if (prefix === "") return;
    this.#browser.go(parentOf(prefix));
    this.#browser.activeKey.value = prefix;
  }

  /** Takes back one thing: the selection, then the details. */
  escape() {
    if (this.#browser.selection.value.keys.size > 0) this.#browser.clearSelection();
    else this.#browser.closeDetails();
  }

  /** What an action without a target works on: the selection, or the active row. */
  targets() {
    const { selected, activeEntry } = this.#browser;
    if (selected.value.length > 0) return selected.value;
    return activeEntry.value === null ? [] : [activeEntry.value];
  }

  newFolder() {
    askNewFolder(this.#browser);
  }

  /** @param {readonly Entry[]} entries */
  remove(entries) {
    if (entries.length > 0 && this.#browser.canWrite) askDelete(this.#browser, entries);
  }

  /**
   * Downloads objects, each as a file of its own.
   * @param {readonly Entry[]} entries
   */
  async download(entries) {
    const objects = entries.filter(({ folder }) => !folder);
    if (objects.length === 0) return;
    if (objects.length > maxDownloads) {
      toast(`Choose up to ${maxDownloads} objects to download at once.`, { kind: "info" });
      return;
    }
    for (const [index, { key }] of objects.entries()) {
      if (index > 0) await new Promise((resolve) => setTimeout(resolve, downloadGap));
      const link = document.createElement("a");
      link.href = objectUrl(this.#browser.api, key, "attachment");
      link.download = "";
      link.click();
    }
  }

  /** @param {FileList} files */
  uploadPicked(files) {
    this.#uploads.add(pickedFiles(files), this.#browser.place.value.prefix);
  }
}
