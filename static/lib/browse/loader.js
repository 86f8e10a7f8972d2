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
  /** What is being loaded: nothing, the start of a folder, its next page, that page unasked, or all that is left. */
  loading = signal(/** @type {"" | "first" | "more" | "idle" | "all"} */ (""));
  failure = signal(/** @type {{ code: string, message: string } | null} */ (null));
  /** Whether what is shown was to be listed anew, and could not. */
  stale = signal(false);
  /** Until when the server wants no requests, in milliseconds since the epoch; 0 when it takes them. */
  waitingUntil = signal(0);
  /** Goes up whenever the listing has changed inside. */
  version = signal(0);
  /** Called before rows of a further page come in among those that are shown; what it returns is called after. */
  holdPlace = () => () => {};
  /** Entries of a page that is asked for. */
  pageSize = 1000;
  /** Where a listing begins; empty for the folder's beginning. */
  firstToken = "";
  /** Whether it is asked who owns the objects. */
  owner = false;
  #abort = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #resume;
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
      this.stale.value = false;
      this.listing.value = listing;
    });
  }

  /**
   * Lists from the start. What is shown of the same folder stays until the answer is there.
   *
   * @param {string} prefix
   * @param {string} filter
   * @param {Sort} sort
   * @param {string} [startAfter] a key after which the list begins
   */
  async load(prefix, filter, sort, startAfter = "") {
    const next = new Listing(prefix, filter, sort, startAfter);
    await batch(() => {
      if (this.listing.value.prefix !== prefix) this.listing.value = next;
      return this.#pages("first", next);
    });
  }

  /** Whether the next page could be asked for: nobody waits for another one, and nothing has failed. */
  get ready() {
    return ["", "idle"].includes(this.loading.value) && this.failure.value === null && !this.full;
  }

  /** Lists the next page, if there is one and nobody waits for another. */
  async more() {
    if (this.ready) await this.#pages("more", this.listing.value);
  }

  /**
   * Lists the next page although nobody needs it yet. Whoever needs one meanwhile does not wait behind it; that it failed
   * is not told, since the page is asked for again when it is needed.
   * @returns {Promise<boolean>} whether it came
   */
  idle() {
    return this.#pages("idle", this.listing.value);
  }

  /** Lists everything that is left; {@link stop} ends it. */
  async all() {
    await batch(() => this.#pages("all", this.listing.value));
  }

  /**
   * The beginning of another folder, for the case that it is opened.
   *
   * @param {string} prefix
   * @param {Sort} sort
   * @returns {Promise<Listing>}
   */
  async ahead(prefix, sort) {
    const listing = new Listing(prefix, "", sort);
    listing.append(await this.#page(listing, new AbortController().signal, "prefetch"));
    listing.listedAt = Date.now();
    return listing;
  }

  /** Ends what is on its way. What has been listed stays. */
  stop() {
    clearTimeout(this.#resume);
    this.waitingUntil.value = 0;
    this.#abort.abort();
    this.#abort = new AbortController();
    this.loading.value = "";
  }

  /**
   * Ends what is on its way and lists pages in its place. What depends on {@link loading} must not see the moment between:
   * it would start to load once more.
   *
   * @param {"first" | "more" | "idle" | "all"} what
   * @param {Listing} listing
   * @returns {Promise<boolean>} whether they came
   */
  async #pages(what, listing) {
    this.stop();
    const { signal } = this.#abort;
    this.failure.value = null;
    this.stale.value = false;
    this.loading.value = what;
    try {
      while (!listing.ended && !(what !== "first" && this.full)) {
        const page = await this.#page(listing, signal, what === "idle" ? "prefetch" : undefined);
        if (signal.aborted) return false;
        const restore = listing.started ? this.holdPlace() : () => {};
        batch(() => {
          if (!listing.started) {
            listing.listedAt = Date.now();
            listing.takeOver(this.listing.value);
          }
          listing.append(page);
          this.listing.value = listing;
          this.version.value++;
        });
        restore();
        if (what !== "all") break;
      }
      this.loading.value = "";
      return true;
    } catch (error) {
      if (!signal.aborted) this.#fail(error, what, listing);
      return false;
    }
  }

  /**
   * @param {unknown} error
   * @param {"first" | "more" | "idle" | "all"} what
   * @param {Listing} listing
   */
  #fail(error, what, listing) {
    if (
      what !== "idle" && error instanceof ApiError && error.code === "rate_limited" && error.retryAfter > 0
    ) {
      return this.#wait(error.retryAfter, what, listing);
    }
    if (what !== "idle") {
      this.stale.value = listing !== this.listing.value && this.listing.value.started;
      this.failure.value = error instanceof ApiError ? error : { code: "internal", message: String(error) };
    }
    this.loading.value = "";
  }

  /**
   * Goes on when the server takes requests again.
   *
   * @param {number} seconds
   * @param {"first" | "more" | "all"} what
   * @param {Listing} listing
   */
  #wait(seconds, what, listing) {
    this.waitingUntil.value = Date.now() + seconds * 1000;
    this.#resume = setTimeout(() => batch(() => this.#pages(what, listing)), seconds * 1000);
  }

  /**
   * @param {Listing} listing
   * @param {AbortSignal} signal
   * @param {import("../scheduler.js").Priority} [priority]
   * @returns {Promise<ListingPage>}
   */
  #page(listing, signal, priority = listing.started ? "visible" : "user") {
    return request("GET", `${this.#api}/objects`, {
      query: {
        prefix: listing.prefix + listing.filter,
        delimiter: "/",
        token: listing.started ? listing.token : this.firstToken,
        start_after: listing.started ? undefined : listing.startAfter,
        max_keys: this.pageSize,
        owner: this.owner ? "true" : "",
        etags: "false",
      },
      priority,
      signal,
      background: priority === "prefetch",
    });
  }
}
