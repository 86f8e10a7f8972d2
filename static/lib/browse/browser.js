// @ts-check
/// <reference lib="dom" />
import { batch, computed, signal } from "@preact/signals";
import { everything, extended, nothing, only, toggled, without } from "../grid/selection.js";
import { placeOf, searchOf } from "./address.js";
import { Listing } from "./listing.js";
import { Loader } from "./loader.js";
import { bucketPage, bucketUrl } from "./object_urls.js";

/** @import { Place } from "./address.js" */
/** @import { ListingPage, SortField } from "./entries.js" */
/** @import { GridView } from "./object_grid.js" */

/** Folders whose listings are kept for going back. */
const maxKept = 20;

/** Milliseconds of silence after which a typed filter is sent to the server. */
const typingPause = 180;

/**
 * What a page of the browser starts with.
 *
 * @typedef {object} BrowserProps
 * @property {{ id: string, name: string }} backend
 * @property {string} bucket
 * @property {Place} place
 * @property {ListingPage | null} page the first page, if it was there in time
 * @property {{ code: string, message: string } | null} error
 * @property {boolean} continued whether the page is not the folder's beginning, as it is for readers without script
 * @property {import("../boot_data.js").Me} me
 * @property {number} now milliseconds since the epoch
 */

/** The state of the object browser and what can be done with it. Components read its signals. */
export class Browser {
  /** Where the grid is scrolled to; set by the grid. @type {GridView | null} */
  view = null;
  selection = signal(nothing);
  /** The row that the keyboard acts on. */
  activeKey = signal("");
  /** @type {Map<string, { listing: Listing, scrollTop: number, activeKey: string }>} */
  #kept = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;
  #continued;

  /** @param {BrowserProps} props */
  constructor({ backend, bucket, place, page, error, continued, me }) {
    this.#continued = continued;
    this.backend = backend;
    this.bucket = bucket;
    this.canWrite = me.can.write_objects === true;
    this.canShare = me.can.share_objects === true;
    this.canManage = me.can.manage_backends === true;
    this.api = bucketUrl(backend.id, bucket);
    this.page = bucketPage(backend.id, bucket);
    this.place = signal(place);
    this.activeKey.value = place.open;
    const listing = new Listing(place.prefix, "", place.sort);
    if (page) listing.append(page);
    this.loader = new Loader(this.api, listing);
    this.loader.failure.value = error;
    this.loader.onRowsAbove = (rows) => this.view?.shift(rows);
    this.rows = computed(() => {
      this.loader.version.value;
      return this.loader.listing.value.rows(this.place.value.filter);
    });
    this.activeIndex = computed(() => {
      const key = this.activeKey.value;
      return key === "" ? -1 : this.rows.value.findIndex((entry) => entry.key === key);
    });
    this.activeEntry = computed(() => this.rows.value[this.activeIndex.value] ?? null);
    this.selected = computed(() => {
      const { keys } = this.selection.value;
      this.loader.version.value;
      const { folders, objects } = this.loader.listing.value;
      return keys.size === 0 ? [] : folders.concat(objects).filter(({ key }) => keys.has(key));
    });
  }

  /** Takes over from the server: lists what it did not, follows the history. Returns a function that stops it. */
  start() {
    const missing = !this.loader.listing.value.started && this.loader.failure.value === null;
    if (missing || this.#continued) this.reload();
    else this.#filterOnServer();
    const onPopState = () => this.#show(placeOf(location.search));
    addEventListener("popstate", onPopState);
    return () => removeEventListener("popstate", onPopState);
  }

  /**
   * The address of a place in this bucket.
   * @param {Partial<Place>} place
   */
  href(place) {
    return this.page + searchOf({ sort: this.place.value.sort, ...place });
  }

  /**
   * Goes to a folder.
   *
   * @param {string} prefix
   * @param {string} [open] key of an object whose details open too
   */
  go(prefix, open = "") {
    this.#navigate({ prefix, open, filter: "", sort: this.place.value.sort });
  }

  /**
   * Shows an object's details. Stepping from one to the next is not a step of the history.
   *
   * @param {string} key
   */
  showDetails(key) {
    const stepping = this.place.value.open !== "";
    this.activeKey.value = key;
    this.#navigate({ ...this.place.value, open: key }, stepping);
  }

  closeDetails() {
    if (this.place.value.open !== "") this.#navigate({ ...this.place.value, open: "" });
  }

  /**
   * Shows the details of the next object, or with -1 of the one before.
   *
   * @param {1 | -1} step
   */
  stepDetails(step) {
    const rows = this.rows.value;
    let index = rows.findIndex(({ key }) => key === this.place.value.open) + step;
    while (rows[index]?.folder) index += step;
    if (!rows[index]) return;
    this.showDetails(rows[index].key);
    this.view?.reveal(index);
  }

  /** @param {SortField} field */
  sortBy(field) {
    const { sort } = this.place.value;
    const descending = sort.field === field ? !sort.descending : field === "size" || field === "modified";
    this.#navigate({ ...this.place.value, sort: { field, descending } }, true);
  }

  /** @param {string} filter */
  setFilter(filter) {
    this.#navigate({ ...this.place.value, filter }, true);
  }

  /** Lists the folder anew. */
  async reload() {
    this.#kept.clear();
    const { prefix, sort } = this.place.value;
    await this.loader.load(prefix, "", sort);
    await this.#filterOnServer();
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
      this.activeKey.value = key;
      const now = this.selection.value;
      if (range) this.selection.value = extended(now, this.#order(), key, { add: toggle });
      else this.selection.value = toggle ? toggled(now, key) : only(key);
    });
  }

  selectAll() {
    this.selection.value = everything(this.selection.value, this.#order());
  }

  clearSelection() {
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
    if (!rows[to]) return;
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
    this.#kept.clear();
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
    this.#kept.clear();
    batch(() => {
      this.loader.update((listing) => listing.remove(gone));
      this.selection.value = without(this.selection.value, keys);
      const rows = this.rows.value;
      if (gone.has(this.activeKey.value)) {
        this.activeKey.value = rows[Math.min(index, rows.length - 1)]?.key ?? "";
      }
    });
    if (gone.has(this.place.value.open)) this.#navigate({ ...this.place.value, open: "" }, true);
  }

  #order() {
    return this.rows.value.map(({ key }) => key);
  }

  /**
   * @param {Place} place
   * @param {boolean} [replace] the history's step in place of adding one
   */
  #navigate(place, replace = false) {
    const address = this.page + searchOf(place);
    if (replace) history.replaceState(history.state, "", address);
    else if (address !== location.pathname + location.search) history.pushState(null, "", address);
    this.#show(place);
  }

  /** @param {Place} place */
  #show(place) {
    if (place.prefix !== this.place.value.prefix) {
      this.#enter(place);
      return;
    }
    const { sort, filter } = this.place.value;
    const sorted = place.sort.field !== sort.field || place.sort.descending !== sort.descending;
    batch(() => {
      this.place.value = place;
      if (sorted) this.loader.update((listing) => listing.sortBy(place.sort));
    });
    if (place.filter === filter) return;
    if (this.view) this.view.scrollTop = 0;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#filterOnServer(), typingPause);
  }

  /** @param {Place} place */
  #enter(place) {
    this.#keep();
    const kept = this.#kept.get(place.prefix);
    kept?.listing.sortBy(place.sort);
    batch(() => {
      this.place.value = place;
      this.clearSelection();
      this.activeKey.value = place.open || kept?.activeKey || "";
      if (kept) this.loader.show(kept.listing);
      else this.loader.load(place.prefix, place.filter, place.sort);
    });
    if (this.view) this.view.scrollTop = kept?.scrollTop ?? 0;
  }

  /** Keeps what is listed of the open folder, for coming back to it. */
  #keep() {
    const listing = this.loader.listing.value;
    if (!listing.started || listing.filter !== "") return;
    this.#kept.delete(listing.prefix);
    this.#kept.set(listing.prefix, {
      listing,
      scrollTop: this.view?.scrollTop ?? 0,
      activeKey: this.activeKey.value,
    });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept) this.#kept.delete(oldest);
  }

  /** Asks the server for what the filter leaves, unless everything that it could leave is here. */
  async #filterOnServer() {
    const { prefix, filter, sort } = this.place.value;
    const { listing } = this.loader;
    if (filter === listing.value.filter || (listing.value.filter === "" && listing.value.complete)) return;
    await this.loader.load(prefix, filter, sort);
  }
}
