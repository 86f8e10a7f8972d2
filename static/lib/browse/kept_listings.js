// @ts-check

/** @import { Listing } from "./listing.js" */

/** Folders whose listings are kept for going back, and the rows that they may have together. */
const maxKept = 20;
const maxRows = 50_000;

/**
 * A listing that is kept, and where one was in it.
 * @typedef {{ listing: Listing, scrollTop: number, activeKey: string }} KeptListing
 */

/** The listings of the folders that were open last, by their prefixes. */
export class KeptListings {
  /** @type {Map<string, KeptListing>} */
  #kept = new Map();

  /** @param {string} prefix */
  get(prefix) {
    return this.#kept.get(prefix);
  }

  /**
   * Keeps a listing, unless it is one of a filter or begins somewhere in the middle.
   * @param {KeptListing} kept
   */
  keep(kept) {
    const { prefix, started, filter, startAfter } = kept.listing;
    if (!started || filter !== "" || startAfter !== "") return;
    this.#kept.delete(prefix);
    this.#kept.set(prefix, kept);
    let rows = 0;
    for (const { listing } of this.#kept.values()) rows += listing.length;
    for (const [oldest, { listing }] of this.#kept) {
      if (this.#kept.size <= maxKept && rows <= maxRows) break;
      rows -= listing.length;
      this.#kept.delete(oldest);
    }
  }

  clear() {
    this.#kept.clear();
  }
}
