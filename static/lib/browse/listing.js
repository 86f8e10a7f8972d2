// @ts-check
import { comparator, compareKeys, defaultClass, entriesOf, merged, nameContains } from "./entries.js";

/** @import { Entry, ListingPage, Sort } from "./entries.js" */

/**
 * What has been listed of one folder so far. Folders and objects are kept apart and sorted as wanted, folders first; pages
 * are merged in as they come.
 */
export class Listing {
  /** @type {Entry[]} */
  folders = [];
  /** @type {Entry[]} */
  objects = [];
  /** Where the next page begins; `undefined` when nothing is left or nothing was asked for yet. @type {string | undefined} */
  token;
  /** Whether the first page is here. */
  started = false;
  /** When the first page came, in milliseconds since the epoch. */
  listedAt = 0;
  #sort;

  /**
   * @param {string} prefix the folder
   * @param {string} filter what names begin with that the server is asked for; empty for all
   * @param {Sort} sort
   * @param {string} [startAfter] a key: what comes up to it is left out
   */
  constructor(prefix, filter, sort, startAfter = "") {
    this.prefix = prefix;
    this.filter = filter;
    this.startAfter = startAfter;
    this.#sort = sort;
  }

  /** Whether everything is here. */
  get complete() {
    return this.ended && this.startAfter === "";
  }

  /** Whether everything from where the listing begins is here. */
  get ended() {
    return this.started && this.token === undefined;
  }

  get length() {
    return this.folders.length + this.objects.length;
  }

  /**
   * Adds the next page.
   *
   * @param {ListingPage} page
   */
  append(page) {
    const { folders, objects } = entriesOf(page, this.prefix);
    this.started = true;
    this.token = page.is_truncated ? page.next_continuation_token : undefined;
    // What was taken over comes once more when its name begins with the filter.
    if (this.filter !== "") this.remove(new Set(folders.concat(objects).map(({ key }) => key)));
    this.folders = this.#with(this.folders, folders);
    this.objects = this.#with(this.objects, objects);
  }

  /**
   * Takes over what another listing of the folder holds that fits the filter anywhere in its name, unless that listing is one
   * of the same names, which this one replaces.
   *
   * @param {Listing} other
   */
  takeOver({ filter, folders, objects }) {
    if (filter === this.filter || !this.filter.includes(filter)) return;
    this.folders = this.#with([], folders.filter(this.#fits(this.filter)));
    this.objects = this.#with([], objects.filter(this.#fits(this.filter)));
  }

  /** @param {Sort} sort */
  sortBy(sort) {
    this.#sort = sort;
    this.folders = this.#with([], this.folders);
    this.objects = this.#with([], this.objects);
  }

  /** @param {ReadonlySet<string>} keys */
  remove(keys) {
    this.folders = this.folders.filter(({ key }) => !keys.has(key));
    this.objects = this.objects.filter(({ key }) => !keys.has(key));
  }

  /**
   * Puts an object that was just stored where it belongs: itself, or the folder that it lies in. One beyond what has
   * been listed comes with its page.
   *
   * @param {{ key: string, size: number, modified: number }} stored
   */
  put({ key, size, modified }) {
    if (!key.startsWith(this.prefix)) return;
    const name = key.slice(this.prefix.length);
    const slash = name.indexOf("/");
    const shown = slash < 0 ? name : name.slice(0, slash);
    if (!this.#fits(this.filter)({ name: shown })) return;
    const isAsked = name.startsWith(this.filter);
    if (isAsked && !this.complete && this.objects.every((entry) => compareKeys(entry.key, key) < 0)) return;
    if (slash < 0) {
      if (name === "") return;
      const others = this.objects.filter((entry) => entry.key !== key);
      this.objects = this.#with(others, [{
        key,
        name,
        folder: false,
        size,
        modified,
        storageClass: defaultClass,
      }]);
      return;
    }
    const folder = this.prefix + name.slice(0, slash + 1);
    if (this.folders.some((entry) => entry.key === folder)) return;
    const entry = {
      key: folder,
      name: shown,
      folder: true,
      size: 0,
      modified: 0,
      storageClass: "",
    };
    this.folders = this.#with(this.folders, [entry]);
  }

  /**
   * The rows to show: everything, or what has the text anywhere in its name.
   *
   * @param {string} filter
   * @returns {Entry[]}
   */
  rows(filter) {
    const rows = this.folders.concat(this.objects);
    return filter === this.filter ? rows : rows.filter(this.#fits(filter));
  }

  /** @param {string} filter */
  #fits(filter) {
    const text = filter.toLowerCase();
    return (/** @type {Pick<Entry, "name">} */ entry) => nameContains(entry, text);
  }

  /**
   * Folders have neither size nor date: whatever the order, they stand by name, downwards only when names do.
   *
   * @param {Entry[]} present
   * @param {Entry[]} added
   */
  #with(present, added) {
    const folders = added[0]?.folder ?? false;
    const sort = folders && this.#sort.field !== "name"
      ? { field: /** @type {const} */ ("name"), descending: false }
      : this.#sort;
    const compare = comparator(sort);
    return merged(present, added.sort(compare), compare);
  }
}
