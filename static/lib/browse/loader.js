// @ts-check
/// <reference lib="dom" />
import { batch, signal } from "@preact/signals";
import { ApiError, request } from "../api.js";
import { Listing } from "./listing.js";

/** @import { ListingPage, Sort } from "./entries.js" */

/** Rows that are listed at most: beyond this, browsers cap the height of the list. */
const maxRows = 400_000;

/** Lists a folder page by page: first what is seen at once, then more as it is scrolled to. */
export class Loader {
  /** What is being loaded: nothing, the start of a folder, its next page, or all that is left. */
  loading = signal(/** @type {"" | "first" | "more" | "all"} */ (""));
  failure = signal(/** @type {{ code: string, message: string } | null} */ (null));
  /** Goes up whenever the listing has changed inside. */
  version = signal(0);
  /** Called when a further page brought folders, which stand above everything that is already shown. */
  onRowsAbove = (/** @type {number} */ _rows) => {};
  #abort = new AbortController();
  #api;

  /**
   * @param {string} api the bucket's address
   * @param {Listing} listing
   */
  constructor(api, listing) {
    this.#api = api;
    this.listing = signal(listing);
  }

  /** Whether nothing could be listed, and not for want of a permission: nothing else can be done here then. */
  get unreachable() {
    const failure = this.failure.value;
    return failure !== null && failure.code !== "forbidden" && !this.listing.value.started;
  }

  /** Whether the list ends before the folder does, for its height. */
  get full() {
    return this.listing.value.length >= maxRows;
  }

  /**
   * Changes the listing in place, and lets everyone know.
   *
   * @param {(listing: Listing) => void} change
   */
  update(change) {
    batch(() => {
      change(this.listing.value);
      this.version.value++;
    });
  }

  /**
   * Shows a listing that is at hand.
   *
   * @param {Listing} listing
   */
  show(listing) {
    batch(() => {
      this.stop();
      this.failure.value = null;
      this.listing.value = listing;
    });
  }

  /**
   * Lists from the start. What is shown of the same folder stays until the answer is there.
   *
   * @param {string} prefix
   * @param {string} filter
   * @param {Sort} sort
   */
  async load(prefix, filter, sort) {
    const next = new Listing(prefix, filter, sort);
    await batch(() => {
      if (this.listing.value.prefix !== prefix) this.listing.value = next;
      return this.#pages("first", next);
    });
  }

  /** Lists the next page, if there is one and nothing is on its way. */
  async more() {
    if (this.loading.value === "" && this.failure.value === null && !this.full) {
      await this.#pages("more", this.listing.value);
    }
  }

  /** Lists everything that is left; {@link stop} ends it. */
  async all() {
    await batch(() => this.#pages("all", this.listing.value));
  }

  /** Ends what is on its way. What has been listed stays. */
  stop() {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.loading.value = "";
  }

  /**
   * Ends what is on its way and lists pages in its place. What depends on {@link loading} must not see the moment between:
   * it would start to load once more.
   *
   * @param {"first" | "more" | "all"} what
   * @param {Listing} listing
   */
  async #pages(what, listing) {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.failure.value = null;
    this.loading.value = what;
    try {
      while (!listing.complete && !(what !== "first" && this.full)) {
        const page = await this.#page(listing, signal);
        if (signal.aborted) return;
        const folders = listing.folders.length;
        batch(() => {
          listing.append(page);
          this.listing.value = listing;
          this.version.value++;
        });
        if (what !== "first") this.onRowsAbove(listing.folders.length - folders);
        if (what !== "all") break;
      }
    } catch (error) {
      if (signal.aborted) return;
      this.failure.value = error instanceof ApiError ? error : { code: "internal", message: String(error) };
    }
    this.loading.value = "";
  }

  /**
   * @param {Listing} listing
   * @param {AbortSignal} signal
   * @returns {Promise<ListingPage>}
   */
  #page(listing, signal) {
    return request("GET", `${this.#api}/objects`, {
      query: {
        prefix: listing.prefix + listing.filter,
        delimiter: "/",
        token: listing.token,
        max_keys: 1000,
      },
      priority: listing.started ? "visible" : "user",
      signal,
    });
  }
}
