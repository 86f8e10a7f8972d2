// @ts-check
/// <reference lib="dom" />
import { batch, computed, signal } from "@preact/signals";
import { everything, extended, nothing, only, toggled, without } from "../grid/selection.js";
import { usualColumns } from "./columns.js";
import { Folder } from "./folder.js";
import { UndoStack } from "./undo_stack.js";

/** @import { Entry } from "./entries.js" */
/** @import { BrowserProps } from "./folder.js" */

/** What is under a prefix, as `GET …/prefix-size` answers. @typedef {{ bytes: number, count: number, computed_at: string, truncated: boolean }} FolderSize */

/** The state of the object browser and what can be done with it. Components read its signals. */
export class Browser extends Folder {
  selection = signal(nothing);
  /** Whether everything that matches is selected, also what is not loaded. */
  matching = signal(false);
  /** Key of the row whose name is being edited, or empty. */
  renaming = signal("");
  undo = new UndoStack();
  /** Whether the choice of kinds is shown. */
  choosingKinds = signal(false);
  viewMenuOpen = signal(false);
  /** The bucket's quota, if it is over a limit of it. @type {import("@preact/signals").Signal<import("./quota.js").Quota | null>} */
  quota = signal(null);
  /** How many objects the bucket holds, 0 while that is not known. */
  objectCount = signal(0);
  /** Which of the columns that can be left out are shown. */
  columns = signal(usualColumns);
  /** What folders hold, as far as that was counted. @type {import("@preact/signals").Signal<ReadonlyMap<string, FolderSize>>} */
  folderSizes = signal(new Map());

  /** @param {BrowserProps} props */
  constructor(props) {
    super(props);
    this.choosingKinds.value = Boolean(props.place.kinds);
    this.s3Endpoint = props.s3Endpoint;
    const { can, username } = props.me;
    this.userName = username;
    this.canWrite = can.write_objects === true;
    this.canShare = can.share_objects === true;
    this.canManage = can.manage_backends === true;
    this.canAudit = can.read_audit === true;
    this.totalBytes = computed(() => {
      this.loader.version.value;
      let bytes = 0;
      for (const { size } of this.loader.listing.value.objects) bytes += size;
      for (const { key } of this.loader.listing.value.folders) {
        bytes += this.folderSizes.value.get(key)?.bytes ?? 0;
      }
      return bytes;
    });
    this.activeIndex = computed(() => {
      const key = this.activeKey.value;
      return key === "" || this.isPast ? -1 : this.rows.value.findIndex((entry) => entry.key === key);
    });
    this.activeEntry = computed(() => this.rows.value[this.activeIndex.value] ?? null);
    this.selected = computed(() => {
      if (!this.hasSelection) return [];
      if (this.matching.value) return [this.#matchingEntry()];
      const { keys } = this.selection.value;
      this.loader.version.value;
      const { folders, objects } = this.loader.listing.value;
      return folders.concat(objects).filter(({ key }) => keys.has(key));
    });
  }

  /** Whether something that is shown is selected. */
  get hasSelection() {
    return !this.isPast && (this.matching.value || this.selection.value.keys.size > 0);
  }

  /** Whether what was deleted, or the folder as it was, takes the place of the rows: they are out of reach meanwhile. */
  get isPast() {
    const { view, at } = this.place.value;
    return view === "versions" || Boolean(at);
  }

  /**
   * Shows the details of the next object, or with -1 of the one before.
   *
   * @param {1 | -1} step
   */
  stepDetails(step) {
    if (this.isPast) return;
    const rows = this.rows.value;
    let index = rows.findIndex(({ key }) => key === this.place.value.open) + step;
    while (rows[index]?.folder) index += step;
    if (!rows[index]) return;
    this.showDetails(rows[index].key);
    this.view?.reveal(index);
  }

  /**
   * Selects as a click on a row does: alone, with Ctrl or Cmd one more, with Shift a range.
   *
   * @param {number} index
   * @param {{ toggle?: boolean, range?: boolean }} [how]
   */
  select(index, { toggle = false, range = false } = {}) {
    const key = this.rows.value[index]?.key;
    if (key === undefined) return;
    batch(() => {
      this.matching.value = false;
      this.activeKey.value = key;
      const now = this.selection.value;
      if (range) this.selection.value = extended(now, this.#order(), key, { add: toggle });
      else this.selection.value = toggle ? toggled(now, key) : only(key);
    });
  }

  /** Selects everything that is loaded; once that is so, everything that matches on the server. */
  selectAll() {
    if (this.isPast) return;
    const { rows, selection } = this;
    const all = rows.value.every(({ key }) => selection.value.keys.has(key));
    if (all && rows.value.length > 0 && this.canSelectMatching) this.matching.value = true;
    else selection.value = everything(selection.value, this.#order());
  }

  /** Whether there is more than what is loaded, and the server can say what it is. */
  get canSelectMatching() {
    return !this.loader.listing.value.complete && !this.place.value.kinds;
  }

  /**
   * Whether a row is selected, by itself or as one of what matches on the server: that is what begins with the filter.
   * @param {string} key
   */
  isSelected(key) {
    const { prefix, filter } = this.place.value;
    return this.matching.value ? key.startsWith(prefix + filter) : this.selection.value.keys.has(key);
  }

  clearSelection() {
    this.matching.value = false;
    this.selection.value = { keys: new Set(), anchor: this.selection.value.anchor };
  }

  /**
   * Moves to a row, and with `range` selects up to it. Open details follow.
   *
   * @param {number} index clamped to the list
   * @param {{ range?: boolean }} [how]
   */
  moveTo(index, { range = false } = {}) {
    const rows = this.rows.value;
    const to = Math.max(0, Math.min(rows.length - 1, index));
    if (!rows[to] || this.isPast) return;
    const from = this.activeKey.value;
    if (range && this.selection.value.keys.size === 0 && from !== "") this.selection.value = only(from);
    if (range) this.select(to, { range: true });
    else this.activeKey.value = rows[to].key;
    this.view?.reveal(to);
    if (this.place.value.open !== "" && !rows[to].folder) this.showDetails(rows[to].key);
  }

  /**
   * Shows that an object was stored.
   *
   * @param {{ key: string, size: number, modified: number }} stored
   */
  noteStored(stored) {
    this.kept.clear();
    this.loader.update((listing) => listing.put(stored));
  }

  /**
   * Shows that objects and folders are gone. The row that takes the place of the active one becomes active.
   *
   * @param {readonly string[]} keys
   */
  noteDeleted(keys) {
    const gone = new Set(keys);
    const index = this.activeIndex.value;
    this.kept.clear();
    batch(() => {
      this.loader.update((listing) => listing.remove(gone));
      this.selection.value = without(this.selection.value, keys);
      const rows = this.rows.value;
      if (gone.has(this.activeKey.value)) {
        this.activeKey.value = rows[Math.min(index, rows.length - 1)]?.key ?? "";
      }
    });
    if (gone.has(this.place.value.open)) this.alter({ open: "" }, { replace: true });
  }

  /** @override */
  onOtherRows() {
    const moved = this.loader.listing.value.prefix !== this.place.value.prefix;
    this.matching.value = false;
    this.renaming.value = "";
    if (moved) this.clearSelection();
  }

  #order() {
    return this.rows.value.map(({ key }) => key);
  }

  /**
   * What matches as one row, which is handled as a folder is: everything whose key begins with its own.
   * @returns {Entry}
   */
  #matchingEntry() {
    const { prefix, filter } = this.place.value;
    return { key: prefix + filter, name: filter, folder: true, size: 0, modified: 0, storageClass: "" };
  }
}
