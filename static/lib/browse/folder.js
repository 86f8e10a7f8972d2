// @ts-check
/// <reference lib="dom" />
import { batch, computed, signal } from "@preact/signals";
import { currentPath, withBase } from "../base.js";
import { writeTyped } from "../typed_address.js";
import { placeOf, searchOf } from "./address.js";
import { KeptListings } from "./kept_listings.js";
import { kindOf } from "./kinds.js";
import { Listing } from "./listing.js";
import { Loader } from "./loader.js";
import { bucketPage, bucketUrl } from "./object_urls.js";

/** @import { Place } from "./address.js" */
/** @import { ListingPage, SortField } from "./entries.js" */
/** @import { GridView } from "./object_grid.js" */

/** Milliseconds of silence after which a typed filter is sent to the server. */
const typingPause = 180;

/** Milliseconds after which a short listing that was kept is listed anew behind what is shown. */
const freshFor = 30_000;

/** Rows of one page: a longer listing is not listed anew unasked, since it would become shorter at first. */
const pageRows = 1000;

/**
 * What a page of the browser starts with.
 *
 * @typedef {object} BrowserProps
 * @property {{ id: string, name: string }} backend
 * @property {string} bucket
 * @property {Place} place
 * @property {ListingPage | null} page the first page, if it was there in time
 * @property {{ code: string, message: string } | null} error
 * @property {boolean} s3Endpoint whether this service's S3 endpoint is on
 * @property {boolean} continued whether the page is not the folder's beginning, as it is for readers without script
 * @property {import("../boot_data.js").Me} me
 * @property {number} now milliseconds since the epoch
 */

/** The open folder: which it is, how it is shown, and what is listed of it. Its address is the page's. */
export class Folder {
  /** Whether the rows are those of a page of the plain table. */
  isTable = false;
  /** Where the grid is scrolled to; set by the grid. @type {GridView | null} */
  view = null;
  /** The row that the keyboard acts on. */
  activeKey = signal("");
  kept = new KeptListings();
  /** Ids of jobs whose changes the list shows by itself. @type {Set<string>} */
  shownJobs = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;
  #continued;

  /** @param {BrowserProps} props */
  constructor({ backend, bucket, place, page, error, continued, now }) {
    this.#continued = continued;
    this.backend = backend;
    this.bucket = bucket;
    this.api = bucketUrl(backend.id, bucket);
    this.page = bucketPage(backend.id, bucket);
    this.place = signal(place);
    this.activeKey.value = place.open;
    const listing = new Listing(place.prefix, "", place.sort);
    if (page) {
      listing.append(page);
      listing.listedAt = now;
    }
    this.loader = new Loader(this.api, listing);
    this.loader.failure.value = error;
    this.loader.holdPlace = () => this.view?.hold() ?? (() => {});
    this.rows = computed(() => {
      this.loader.version.value;
      const { filter, kinds } = this.place.value;
      const rows = this.loader.listing.value.rows(filter);
      if (!kinds) return rows;
      const wanted = kinds.split(",");
      return rows.filter((entry) => wanted.includes(kindOf(entry)));
    });
  }

  /** Takes over from the server: lists what it did not, follows the history. Returns a function that stops it. */
  start() {
    const missing = !this.loader.listing.value.started && this.loader.failure.value === null;
    if (missing || this.#continued) this.reload();
    else this.#filterOnServer();
    const onPopState = () => {
      if (currentPath() === this.page) this.followHistory();
    };
    const onChanged = (/** @type {Event} */ event) =>
      this.#noteChanged(/** @type {CustomEvent} */ (event).detail);
    addEventListener("popstate", onPopState);
    const onStored = (/** @type {Event} */ event) =>
      this.#noteStored(/** @type {CustomEvent} */ (event).detail);
    addEventListener("objects-changed", onChanged);
    addEventListener("object-stored", onStored);
    return () => {
      removeEventListener("popstate", onPopState);
      removeEventListener("objects-changed", onChanged);
      removeEventListener("object-stored", onStored);
      clearTimeout(this.#typing);
      this.loader.stop();
    };
  }

  /** The address of what is shown: path and query. */
  get address() {
    return this.page + this.search(this.place.value);
  }

  /**
   * A place in this bucket as the query of its address.
   * @param {Partial<Place>} place
   */
  search(place) {
    return searchOf(place);
  }

  /** Shows what the address says. */
  followHistory() {
    this.#show(placeOf(location.search));
  }

  /**
   * The address of a place in this bucket.
   * @param {Partial<Place>} place
   */
  href(place) {
    const { sort, view } = this.place.value;
    return this.page + this.search({ sort, view: view === "grid" ? view : "", ...place });
  }

  /**
   * Goes to a folder.
   *
   * @param {string} prefix
   * @param {string} [open] key of an object whose details open too
   */
  go(prefix, open = "") {
    const { sort, view, at } = this.place.value;
    this.navigate({ prefix, open, filter: "", sort, view, at });
  }

  /**
   * Shows an object's details. Stepping from one to the next is not a step of the history.
   *
   * @param {string} key
   */
  showDetails(key) {
    const stepping = this.place.value.open !== "";
    this.activeKey.value = key;
    this.navigate({ ...this.place.value, open: key, version: "" }, stepping);
  }

  closeDetails() {
    if (this.place.value.open !== "") this.navigate({ ...this.place.value, open: "", version: "" });
  }

  /**
   * Shows something else of the open folder or object, such as another tab of its details.
   *
   * @param {Partial<Place>} change
   * @param {{ replace?: boolean }} [options] whether it takes the place of the present view in the history
   */
  alter(change, { replace = false } = {}) {
    this.navigate({ ...this.place.value, ...change }, replace);
  }

  /** @param {SortField} field */
  sortBy(field) {
    const { sort } = this.place.value;
    const descending = sort.field === field ? !sort.descending : field === "size" || field === "modified";
    this.alter({ sort: { field, descending } });
  }

  /**
   * Filters by what is being typed.
   * @param {string} filter
   */
  setFilter(filter) {
    const place = { ...this.place.value, filter };
    writeTyped(withBase(this.page + this.search(place)));
    this.#show(place);
  }

  /** Lists the folder anew. */
  async reload() {
    this.kept.clear();
    await this.#list();
  }

  /**
   * Lists a folder ahead of its being opened.
   * @param {string} prefix
   */
  async prefetch(prefix) {
    if (this.kept.get(prefix) !== undefined) return;
    const listing = await this.loader.ahead(prefix, this.place.value.sort).catch(() => null);
    if (listing !== null) this.kept.keep({ listing, scrollTop: 0, activeKey: "" });
  }

  /** Called when another folder is shown, or the same one otherwise filtered. */
  onOtherRows() {}

  /**
   * @param {Place} place
   * @param {boolean} [replace] the history's step in place of adding one
   */
  navigate(place, replace = false) {
    const address = this.page + this.search(place);
    if (replace) history.replaceState(history.state, "", withBase(address));
    else if (address !== currentPath() + location.search) history.pushState(null, "", withBase(address));
    this.#show(place);
  }

  /** @param {Place} place */
  #show(place) {
    if (place.prefix !== this.place.value.prefix) {
      this.#enter(place);
      return;
    }
    const { sort, filter, kinds } = this.place.value;
    const sorted = place.sort.field !== sort.field || place.sort.descending !== sort.descending;
    batch(() => {
      this.place.value = place;
      if (sorted) this.loader.update((listing) => listing.sortBy(place.sort));
      if (place.filter !== filter || place.kinds !== kinds) this.onOtherRows();
      this.#widen();
    });
    if (place.filter === filter) return;
    if (this.view) this.view.scrollTop = 0;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#filterOnServer(), typingPause);
  }

  /** @param {Place} place */
  #enter(place) {
    const { listing } = this.loader;
    this.kept.keep({
      listing: listing.value,
      scrollTop: this.view?.scrollTop ?? 0,
      activeKey: this.activeKey.value,
    });
    const kept = this.kept.get(place.prefix);
    kept?.listing.sortBy(place.sort);
    batch(() => {
      this.place.value = place;
      this.onOtherRows();
      this.activeKey.value = place.open || kept?.activeKey || "";
      if (kept) this.loader.show(kept.listing);
      const old = kept !== undefined && Date.now() - kept.listing.listedAt > freshFor &&
        kept.listing.length < pageRows;
      if (kept && !old) this.#filterOnServer();
      else this.#list();
    });
    if (this.view) this.view.scrollTop = kept?.scrollTop ?? 0;
  }

  /**
   * Lists anew where a job or another part of the page has changed objects.
   * @param {{ backend: string, bucket: string, prefix: string, job?: string }} changed
   */
  #noteChanged({ backend, bucket, prefix, job = "" }) {
    if (backend !== this.backend.id || bucket !== this.bucket || this.shownJobs.has(job)) return;
    this.kept.clear();
    const open = this.place.value.prefix;
    if (prefix.startsWith(open) || open.startsWith(prefix)) this.reload();
  }

  /**
   * Shows an object that was uploaded.
   * @param {{ backend: string, bucket: string, key: string, size: number, modified: number }} detail
   */
  #noteStored({ backend, bucket, ...stored }) {
    if (backend !== this.backend.id || bucket !== this.bucket) return;
    this.kept.clear();
    this.loader.update((listing) => listing.put(stored));
  }

  async #list() {
    const { prefix, sort } = this.place.value;
    await this.loader.load(prefix, "", sort);
    // Meanwhile another folder may have been opened, which sees to its own filter.
    const isHere = prefix === this.place.value.prefix && this.loader.failure.value === null;
    if (isHere) await this.#filterOnServer();
  }

  /** Shows again all that is loaded of the folder, where a former filter left out what the present one may leave. */
  #widen() {
    const { prefix, filter, sort } = this.place.value;
    const kept = this.kept.get(prefix);
    if (!kept || filter.includes(this.loader.listing.value.filter)) return;
    kept.listing.sortBy(sort);
    this.loader.show(kept.listing);
  }

  /**
   * Asks the server for what begins with the filter, unless everything is here: that is what the storage can answer in full.
   * Text elsewhere in a name is found among what is loaded.
   */
  async #filterOnServer() {
    this.#widen();
    const { prefix, filter, sort } = this.place.value;
    const listing = this.loader.listing.value;
    if (filter === listing.filter || (listing.filter === "" && listing.complete)) return;
    this.kept.keep({ listing, scrollTop: 0, activeKey: "" });
    await this.loader.load(prefix, filter, sort);
  }
}
