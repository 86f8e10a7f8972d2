// @ts-check
/// <reference lib="dom" />
import { computed, effect, signal } from "@preact/signals";
import { savesData } from "../saves_data.js";

/** @import { Browser } from "./browser.js" */
/** @import { Listing } from "./listing.js" */

/** Rows up to which a list grows by itself; it asks for no more pages than these would need, however few are on each. */
const maxRows = 10_000;

/** Milliseconds for which a listing rests before it grows: a filter that is being typed makes many of them. */
const restTime = 400;

/** Milliseconds after which a page is asked for although this one is busy. */
const maxWait = 2000;

/**
 * Lists one page after another while the page has nothing else to do, so that scrolling does not come to an end: up to so
 * many rows, in a tab that is seen, and not where data is to be saved. Returns a function that stops it.
 * @param {Browser} browser
 */
export function loadPagesAhead({ loader, place }) {
  const awake = signal(!document.hidden && !savesData());
  const onVisibility = () => awake.value = !document.hidden && !savesData();
  /** The listing of which a page could not be had, or that is long enough for the reader. */
  const refused = signal(/** @type {Listing | null} */ (null));
  /** What grows now, `null` while nothing does. */
  const growing = computed(() => {
    loader.version.value;
    const listing = loader.listing.value;
    const { filter, view, at } = place.value;
    const isShown = filter === listing.filter && view !== "versions" && !at;
    const isLong = !listing.started || listing.ended || listing.length >= maxRows;
    return awake.value && isShown && !isLong && listing !== refused.value ? listing : null;
  });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let waiting = false;
  let stopped = false;
  /** The listing of which pages were asked for unasked, and how many. @type {{ listing: Listing | null, pages: number }} */
  const asked = { listing: null, pages: 0 };
  const load = async () => {
    waiting = false;
    const listing = growing.peek();
    if (stopped || listing === null || loader.loading.peek() !== "" || !loader.ready) return;
    if (asked.listing !== listing) Object.assign(asked, { listing, pages: 0 });
    asked.pages++;
    const came = await loader.idle();
    const isOver = asked.pages >= maxRows / loader.pageSize ||
      (!came && loader.loading.peek() === "");
    if (isOver && loader.listing.peek() === listing) refused.value = listing;
  };
  const loadSoon = () => {
    if (waiting) return;
    waiting = true;
    // Safari has no idle callbacks.
    if (globalThis.requestIdleCallback === undefined) setTimeout(load, 50);
    else requestIdleCallback(load, { timeout: maxWait });
  };
  /** @type {Listing | null} */
  let last = null;
  let wasLoadingAll = false;
  const stop = effect(() => {
    const listing = growing.value;
    const isFree = loader.loading.value === "" && loader.failure.value === null;
    clearTimeout(timer);
    if (isFree && wasLoadingAll) refused.value = listing;
    else if (isFree && listing !== null) {
      if (listing === last) loadSoon();
      else timer = setTimeout(loadSoon, restTime);
    }
    wasLoadingAll = loader.loading.value === "all";
    last = listing;
  });
  document.addEventListener("visibilitychange", onVisibility);
  return () => {
    stopped = true;
    clearTimeout(timer);
    stop();
    document.removeEventListener("visibilitychange", onVisibility);
  };
}
