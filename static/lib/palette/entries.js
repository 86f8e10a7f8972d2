// @ts-check
/// <reference lib="dom" />
import { request } from "../api.js";
import { withBase, withoutBase } from "../base.js";
import { queryValue } from "../query_value.js";
import { t } from "../i18n.js";
import { listShortcuts } from "../keys.js";
import { visit } from "../navigation.js";
import { canUndo, undoLast } from "../toast.js";
import { placeDetail, placeIcon, placeName, placePage } from "../places/pins.js";
import { fuzzyMatch } from "./fuzzy.js";

/** @import { Place } from "../places/pins.js" */

/**
 * Something that the palette offers.
 * @typedef {object} Entry
 * @property {Section} section
 * @property {string} id the same for what leads to the same, of which only the first is offered
 * @property {string} label
 * @property {string} [detail] what tells it from others of its label
 * @property {string} icon
 * @property {string} [keys] its shortcut
 * @property {() => unknown} run
 */

/** @typedef {"path" | "pins" | "recent" | "actions" | "pages" | "admin" | "backends" | "buckets" | "search"} Section */

/** @typedef {{ entry: Entry, marks: ReadonlySet<number> }} Offer */

/** Sections in the order in which they stand as long as nothing is typed; the others are for what is typed alone. */
const untyped = /** @type {const} */ (["pins", "recent", "actions", "pages", "backends", "admin"]);

/** Offers of a section, and in all. */
const maxOfSection = 8;

/** @param {Section} section */
export function sectionTitle(section) {
  switch (section) {
    case "path":
      return t("palette.path");
    case "pins":
      return t("palette.pins");
    case "recent":
      return t("palette.recent");
    case "actions":
      return t("palette.actions");
    case "pages":
      return t("palette.pages");
    case "admin":
      return t("palette.admin");
    case "backends":
      return t("palette.backends");
    case "buckets":
      return t("palette.buckets");
    case "search":
      return t("palette.search");
  }
}

/**
 * The pages that the shell links to, which are those that the user may see.
 * @returns {Entry[]}
 */
export function pageEntries() {
  const shortcuts = new Map(listShortcuts().map(({ href, keys }) => [href, keys]));
  return [...document.querySelectorAll(".rail-group:not(#rail-pins) a.rail-link")].map((link) => {
    const href = withoutBase(link.getAttribute("href") ?? "/");
    const isBackend = link.closest("#rail-backends") !== null;
    const icon = link.querySelector("use")?.getAttribute("href")?.split("#")[1];
    return {
      section: isBackend ? "backends" : href.startsWith("/admin/") ? "admin" : "pages",
      id: href,
      label: link.textContent?.trim() ?? "",
      icon: icon ?? "server",
      keys: isBackend ? undefined : shortcuts.get(href),
      run: () => visit(href),
    };
  });
}

/** Keys that nobody would look for by name: to the next row and back, out of something, and to the palette itself. */
const steps = new Set(["ArrowDown", "ArrowUp", "j", "k", "Escape", "mod+k"]);

/**
 * What can be done by a key: on this page first, then everywhere.
 * @returns {Entry[]}
 */
export function actionEntries() {
  const inForce = new Map(listShortcuts().map((shortcut) => [shortcut.keys, shortcut]));
  const everywhere = t("frame.everywhere");
  const [ofFrame, ofPage] = [true, false].map((wanted) =>
    [...inForce.values()].filter(({ group }) => (group === everywhere) === wanted)
  );
  /** What has two keys is offered once. */
  const labels = new Set();
  return [...ofPage, ...ofFrame].flatMap(({ keys, label, run, href }) => {
    const isUseless = steps.has(keys) || (run === undoLast && !canUndo()) || labels.has(label);
    if (run === undefined || href !== undefined || isUseless) return [];
    labels.add(label);
    return [{ section: "actions", id: `keys ${keys}`, label, icon: "arrow-right", keys, run }];
  });
}

/**
 * Places that the user has pinned, and buckets that they were in. What cannot be loaded is left out.
 * @returns {Promise<Entry[]>}
 */
export async function placeEntries() {
  const [pins, recent] = await Promise.all([
    list("/api/me/pins", "pins"),
    list("/api/me/recent-buckets", "buckets"),
  ]);
  return [
    ...pins.map((place) => placeEntry("pins", place)),
    ...recent.map((place) => placeEntry("recent", place)),
  ];
}

/**
 * Asks every backend for its buckets. Calls `onBuckets` as each answers; one that does not is left out.
 * @param {readonly string[]} backends their ids
 * @param {(entries: Entry[]) => void} onBuckets
 */
export async function loadBuckets(backends, onBuckets) {
  await Promise.all(backends.map(async (id) => {
    const buckets = await list(`/api/backends/${encodeURIComponent(id)}/buckets`, "buckets");
    onBuckets(buckets.map(({ name }) => placeEntry("buckets", { backend_id: id, bucket: name })));
  }));
}

/**
 * What is offered for what was typed: the best section first, and of each the best.
 * @param {readonly Entry[]} entries
 * @param {string} query
 * @returns {Offer[]}
 */
export function offersFor(entries, query) {
  if (query.trim() === "") {
    const shown = distinct(
      untyped.flatMap((section) => entries.filter((entry) => entry.section === section)),
    );
    const sections = Map.groupBy(shown, ({ section }) => section);
    return [...sections.values()].flatMap((offers) => offers.slice(0, maxOfSection))
      .map((entry) => ({ entry, marks: new Set() }));
  }
  const matches = distinct(entries).flatMap((entry) => {
    const match = fuzzyMatch(query, entry.label);
    return match === null ? [] : [{ entry, ...match }];
  }).sort((one, other) => other.score - one.score);
  const sections = Map.groupBy(matches, ({ entry }) => entry.section);
  return [...sections.values()].flatMap((offers) => offers.slice(0, maxOfSection));
}

/**
 * @param {readonly Entry[]} entries
 * @returns {Entry[]}
 */
function distinct(entries) {
  const seen = new Set();
  return entries.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/**
 * @param {Section} section
 * @param {Place} place
 * @returns {Entry}
 */
function placeEntry(section, place) {
  const { backend_id: backend } = place;
  const href = placePage(place);
  return {
    section,
    id: href,
    label: placeName(place),
    detail: placeDetail(place, backend && backendName(backend)),
    icon: placeIcon(place),
    run: () => visit(href),
  };
}

/** @param {string} id */
function backendName(id) {
  const link = document.querySelector(`#rail-backends a[href="${withBase(`/b/${encodeURIComponent(id)}`)}"]`);
  return link?.textContent?.trim() ?? id;
}

/**
 * @param {string} path
 * @param {string} name of the array in the answer
 * @returns {Promise<any[]>}
 */
async function list(path, name) {
  try {
    return (await request("GET", path))[name] ?? [];
  } catch {
    return [];
  }
}

/**
 * What leads on from any text: the search for it.
 * @param {string} query
 * @returns {Offer[]}
 */
export function searchOffer(query) {
  const text = query.trim();
  if (text === "" || document.querySelector(`.rail a[href="${withBase("/search")}"]`) === null) return [];
  const entry = /** @type {const} */ ({
    section: "search",
    id: "search",
    label: t("palette.search_for", { text }),
    icon: "search",
    run: () => visit(`/search?q=${queryValue(text)}`),
  });
  return [{ entry, marks: new Set() }];
}
