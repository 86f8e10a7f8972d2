// @ts-check
/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { html } from "../html.js";
import { toast, toastError } from "../toast.js";
import { folderOf, parentOf, searchOf } from "./address.js";

/** @import { Browser } from "./browser.js" */
/** @import { Entry } from "./entries.js" */
/** @import { FoundFile } from "../upload/walk.js" */

/** What buttons, keys and drops do in the browser. Dialogs, downloads and the upload engine are loaded when they are first needed. */
export class BrowserActions {
  /** Opens the chooser for files; set by the toolbar. */
  pickFiles = () => {};
  /** Opens the chooser for a folder; set by the toolbar. */
  pickFolder = () => {};
  /** The list of uploads, once there has been one. */
  tray = signal(/** @type {import("preact").VNode | null} */ (null));
  /** The menu of a row, once one has been opened. */
  menu = signal(/** @type {import("preact").VNode | null} */ (null));
  /** The row whose menu is open, and the button that it hangs from. */
  menuTarget = signal(/** @type {{ entry: Entry, button: Element } | null} */ (null));
  /** @type {Promise<import("../upload/uploads.js").Uploads> | null} */
  #uploads = null;
  #browser;

  /** @param {Browser} browser */
  constructor(browser) {
    this.#browser = browser;
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

  async newFolder() {
    if (!this.#browser.canWrite || this.#browser.loader.unreachable) return;
    const { askNewFolder } = await import("./folder_dialog.js");
    await askNewFolder(this.#browser);
  }

  /** @param {readonly Entry[]} entries */
  async remove(entries) {
    if (entries.length === 0 || !this.#browser.canWrite) return;
    const { askDelete } = await import("./delete_dialog.js");
    await askDelete(this.#browser, entries);
  }

  /** @param {readonly Entry[]} entries */
  async share(entries) {
    const { askShare } = await import("../shares/share_dialog.js");
    await askShare(this.#browser, entries);
  }

  /**
   * Downloads objects, each as a file of its own.
   * @param {readonly Entry[]} entries
   */
  async download(entries) {
    const { downloadEach } = await import("./downloads.js");
    await downloadEach(this.#browser.api, entries);
  }

  /**
   * Opens the menu of a row.
   * @param {Entry} entry
   * @param {Element} button what it hangs from
   */
  async openMenu(entry, button) {
    const { RowMenu } = await import("./row_menu.js");
    this.menu.value ??= html`<${RowMenu} browser=${this.#browser} actions=${this} />`;
    this.menuTarget.value = { entry, button };
  }

  /**
   * Copies the `s3://` addresses of rows, one a line.
   * @param {readonly Entry[]} entries
   */
  async copyUris(entries) {
    const { bucket } = this.#browser;
    await this.#copy(entries.map(({ key }) => `s3://${bucket}/${key}`), "S3 URI copied");
  }

  /**
   * Copies the addresses of this dashboard that show rows, one a line.
   * @param {readonly Entry[]} entries
   */
  async copyLinks(entries) {
    const page = location.origin + this.#browser.page;
    const links = entries.map(({ key, folder }) =>
      page + searchOf(folder ? { prefix: key } : { prefix: folderOf(key), open: key })
    );
    await this.#copy(links, "Link copied");
  }

  /**
   * @param {readonly string[]} lines
   * @param {string} done
   */
  async #copy(lines, done) {
    if (lines.length === 0) return;
    try {
      await navigator.clipboard.writeText(lines.join("\n"));
      toast(lines.length > 1 ? `${done}: ${lines.length} lines` : done);
    } catch {
      toast("The browser did not allow copying.", { kind: "error" });
    }
  }

  /**
   * Uploads files into a folder.
   * @param {readonly FoundFile[]} found
   * @param {string} prefix
   */
  async upload(found, prefix) {
    try {
      this.#uploads ??= this.#startUploads();
      (await this.#uploads).add(found, prefix);
    } catch (error) {
      this.#uploads = null;
      toastError("The upload could not be started", error);
    }
  }

  async #startUploads() {
    const [{ Uploads }, { UploadTray }] = await Promise.all([
      import("../upload/uploads.js"),
      import("../upload/tray.js"),
    ]);
    const uploads = new Uploads(this.#browser);
    uploads.start();
    this.tray.value = html`<${UploadTray} uploads=${uploads} />`;
    return uploads;
  }
}
