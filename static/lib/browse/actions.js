// @ts-check
/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { basePath } from "../base.js";
import { html } from "../html.js";
import { t } from "../i18n.js";
import { toast, toastError } from "../toast.js";
import { folderOf, parentOf, searchOf } from "./address.js";
import { renameField } from "./lazy_parts.js";

/** @import { Browser } from "./browser.js" */
/** @import { Entry } from "./entries.js" */
/** @import { FoundFile } from "../upload/walk.js" */

/** What buttons, keys and drops do in the browser. Dialogs, downloads and the upload engine are loaded when they are first needed. */
export class BrowserActions {
  /**
   * What opens the choosers; set by the toolbar.
   * @type {{ files: (options?: { ask?: boolean }) => void, folder: () => void } | null}
   */
  choosers = null;
  /** The menu of a row, once one has been opened. */
  menu = signal(/** @type {import("preact").VNode | null} */ (null));
  /** The row whose menu is open, and the button that it hangs from. */
  menuTarget = signal(/** @type {{ entry: Entry, button: Element } | null} */ (null));
  #browser;
  /** Whether a dialog is open, or about to be. */
  #asks = false;

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
    if (this.#browser.hasSelection) this.#browser.clearSelection();
    else this.#browser.closeDetails();
  }

  /** What an action without a target works on: the selection, or the active row. */
  targets() {
    const { selected, activeEntry } = this.#browser;
    if (selected.value.length > 0) return selected.value;
    return activeEntry.value === null ? [] : [activeEntry.value];
  }

  /** Whether objects can be changed here. */
  get canChange() {
    return this.#browser.canWrite && !this.#browser.loader.unreachable && !this.#browser.isPast;
  }

  /**
   * Opens the chooser for files.
   * @param {{ ask?: boolean }} [options] `ask` lets the user say how they are stored
   */
  pickFiles(options) {
    if (this.canChange) this.choosers?.files(options);
  }

  /** Whether the browser has a chooser for folders: on many telephones there is none. */
  get takesFolders() {
    return "webkitdirectory" in HTMLInputElement.prototype;
  }

  /** Opens the chooser for a folder. */
  pickFolder() {
    if (this.canChange) this.choosers?.folder();
  }

  newFolder() {
    return this.#alone(() =>
      this.#changing(async () => (await import("./folder_dialog.js")).askNewFolder(this.#browser))
    );
  }

  /** @param {readonly Entry[]} entries */
  remove(entries) {
    return this.#changing(
      async () => (await import("./delete.js")).removeEntries(this.#browser, entries),
      entries,
    );
  }

  /** @param {readonly Entry[]} entries */
  move(entries) {
    return this.#changing(
      async () => (await import("./copy_dialog.js")).askCopy(this.#browser, entries, { move: true }),
      entries,
    );
  }

  /** @param {readonly Entry[]} entries */
  copy(entries) {
    return this.#changing(
      async () => (await import("./copy_dialog.js")).askCopy(this.#browser, entries, { move: false }),
      entries,
    );
  }

  /**
   * Moves rows into a folder of the same bucket, as by dropping them there.
   * @param {readonly Entry[]} entries
   * @param {string} prefix
   */
  moveInto(entries, prefix) {
    return this.#changing(
      async () => (await import("./transfer.js")).moveInto(this.#browser, entries, prefix),
      entries,
    );
  }

  /**
   * Lets the name of a row be edited in its place.
   * @param {Entry | undefined} entry
   */
  async rename(entry) {
    if (!this.canChange || entry === undefined || this.#browser.matching.value) return;
    await renameField.load();
    this.#browser.renaming.value = entry.key;
  }

  /** @param {readonly Entry[]} entries */
  async share(entries) {
    if (entries.length > 0) {
      await this.#alone(async () => {
        const { askShare } = await import("../shares/share_dialog.js");
        await askShare(this.#browser, entries);
      });
    }
  }

  /**
   * Makes a link by which others send files into a folder.
   * @param {string} [prefix] of the folder that is shown, unless told
   */
  async requestFiles(prefix = this.#browser.place.value.prefix) {
    if (this.#browser.isPast) return;
    await this.#alone(async () => {
      const { askForFiles } = await import("../shares/request_dialog.js");
      await askForFiles(this.#browser, prefix);
    });
  }

  /**
   * Changes the tags and metadata of several objects.
   * @param {readonly Entry[]} entries
   */
  tag(entries) {
    return this.#changing(
      async () => (await import("../details/bulk_dialog.js")).askBulkChange(this.#browser, entries),
      entries,
    );
  }

  /**
   * Downloads an object, or several things as one zip file.
   * @param {readonly Entry[]} entries
   */
  async download(entries) {
    if (entries.length === 0) return;
    const { download } = await import("./downloads.js");
    await download(this.#browser, entries);
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
    await this.#copy(entries.map(({ key }) => `s3://${bucket}/${key}`), t("browse.uri_copied"));
  }

  /**
   * Copies the addresses of this dashboard that show rows, one a line.
   * @param {readonly Entry[]} entries
   */
  async copyLinks(entries) {
    const page = location.origin + basePath() + this.#browser.page;
    const links = entries.map(({ key, folder }) =>
      page + searchOf(folder ? { prefix: key } : { prefix: folderOf(key), open: key })
    );
    await this.#copy(links, t("browse.link_copied"));
  }

  /**
   * Uploads files into a folder.
   * @param {readonly FoundFile[]} found
   * @param {string} prefix
   * @param {{ ask?: boolean }} [options] `ask` lets the user say how they are stored
   */
  async upload(found, prefix, { ask = false } = {}) {
    const { transfers } = await import("../transfers/center.js");
    const { backend, bucket } = this.#browser;
    await transfers.addFiles({ backend: backend.id, bucket, prefix, found, ask });
  }

  /** Uploads what the clipboard holds. */
  paste() {
    return this.#changing(async () => {
      const { clipboardFiles } = await import("./paste.js");
      const found = await clipboardFiles();
      if (found.length > 0) await this.upload(found, this.#browser.place.value.prefix);
    });
  }

  /**
   * Opens a dialog, unless one is on its way: it may take a while to load, and a second press would open it twice.
   * @param {() => Promise<void>} ask ends with the dialog
   */
  async #alone(ask) {
    if (this.#asks) return;
    this.#asks = true;
    try {
      await ask();
    } finally {
      this.#asks = false;
    }
  }

  /**
   * Does something that changes objects, unless that is not possible here or there is nothing to do it with.
   * @param {() => Promise<unknown>} act
   * @param {readonly Entry[]} [entries]
   */
  async #changing(act, entries) {
    if (!this.canChange || entries?.length === 0) return;
    try {
      await act();
    } catch (error) {
      toastError(t("browse.action_failed"), error);
    }
  }

  /**
   * @param {readonly string[]} lines
   * @param {string} done
   */
  async #copy(lines, done) {
    if (lines.length === 0) return;
    try {
      await navigator.clipboard.writeText(lines.join("\n"));
      toast(lines.length > 1 ? t("browse.copied_lines", { done, n: lines.length }) : done);
    } catch {
      toast(t("common.copy_failed"), { kind: "error" });
    }
  }
}
