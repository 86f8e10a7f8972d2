// @ts-check
/// <reference lib="dom" />
import { isBelowBase, withBase, withoutBase } from "./base.js";

/** @import { Me } from "./boot_data.js" */
/** @import { IslandModule } from "./page.js" */

/**
 * What becomes of the history: a new step, the present one, or none because the reader went back or forward.
 * @typedef {"push" | "replace" | "none"} Step
 */

/**
 * What is shown. `entry` names its step of the history, and is empty for one that a link to a part of a page has made.
 * @typedef {{ url: URL, entry: string, me: Me, module: IslandModule }} Shown
 */

/** What is shown, `null` outside of the frame; the visit under way; and whether another document is being loaded. */
export const state = {
  shown: /** @type {Shown | null} */ (null),
  visiting: /** @type {AbortController | null} */ (null),
  leaving: false,
};

let entries = 0;

/** Where there are no pages of the frame. */
const elsewhere = /^\/(?:api|auth|s|static|healthz|readyz|metrics|login)(?:\/|$)/;

/**
 * Goes to one of our own pages: it is swapped in where that can be, and loaded as a document elsewhere. What fails is said.
 * Throws for another service's address, and for `javascript:`: what was typed or stored may have become a part of it.
 * @param {string} href
 * @param {{ replace?: boolean }} [options] whether it takes the place of the present page in the history
 */
export async function visit(href, { replace = false } = {}) {
  const url = new URL(withBase(href), location.href);
  if (!isOurs(url)) throw new TypeError(`${href} is not an address of this service`);
  const step = replace || url.href === location.href ? "replace" : "push";
  if (state.shown === null || !isPage(url)) load(url, step);
  else await go(url, step);
}

/**
 * Begins to swap pages: on links, GET forms, back and forward.
 * @param {Me} me who the document was made for
 * @param {IslandModule} module the island that it shows
 */
export function startNavigation(me, module) {
  const entry = history.state?.entry ?? newEntry();
  state.shown = { url: new URL(location.href), entry, me, module };
  history.scrollRestoration = "manual";
  history.replaceState({ ...history.state, entry }, "");
  document.addEventListener("click", onClick);
  document.addEventListener("submit", onSubmit);
  document.addEventListener("pointerover", onPointerOver);
  addEventListener("popstate", onPopState);
}

/**
 * A plain click on a link to one of our pages swaps that in, unless the link has `data-document`.
 * @param {MouseEvent} event
 */
function onClick(event) {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute("download")) return;
  if (link.target !== "" && link.target !== "_self" || link.dataset.document !== undefined) return;
  const url = new URL(link.href);
  if (!isPage(url) || (url.hash !== "" && samePage(url, new URL(location.href)))) return;
  event.preventDefault();
  visit(url.href);
}

/**
 * Whoever points at a link may follow it: what is needed for that is loaded then.
 * @param {PointerEvent} event
 */
function onPointerOver(event) {
  if (!(event.target instanceof Element) || event.target.closest("a[href]") === null) return;
  document.removeEventListener("pointerover", onPointerOver);
  import("./visits.js").catch(() => {});
}

/** @param {SubmitEvent} event */
function onSubmit(event) {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "get") return;
  const url = new URL(form.action);
  if (!isPage(url)) return;
  event.preventDefault();
  const fields = [...new FormData(form)].filter(([, value]) => value !== "");
  url.search = new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString();
  visit(url.href);
}

/** @param {PopStateEvent} event */
function onPopState(event) {
  const { shown, visiting } = state;
  if (shown === null) return;
  const url = new URL(location.href);
  const samePath = url.pathname === shown.url.pathname;
  // A link to a part of this page makes a step without a state, from which one may come back.
  const toPart = samePath && url.hash !== "" && event.state === null;
  const fromPart = shown.entry === "" && samePage(url, shown.url);
  if (toPart || fromPart || (samePath && shown.module.followsHistory)) {
    visiting?.abort();
    state.shown = { ...shown, url, entry: event.state?.entry ?? "" };
  } else if (isPage(url)) {
    go(url, "none");
  } else {
    load(url, "none");
  }
}

/**
 * Swaps a page in. What that takes is loaded with the first one.
 * @param {URL} url
 * @param {Step} step
 */
async function go(url, step) {
  // The address may be that of the new page already.
  delete document.documentElement.dataset.ready;
  const visits = await import("./visits.js").catch(() => null);
  if (visits === null) load(url, step);
  else await visits.go(url, step);
}

/**
 * Loads a document.
 * @param {URL} url
 * @param {Step} step
 */
export function load(url, step) {
  state.leaving = true;
  if (step === "none") location.reload();
  else if (step === "replace") location.replace(url);
  else location.assign(url);
}

/** @param {URL} url */
function isOurs(url) {
  return url.origin === location.origin && isBelowBase(url.pathname);
}

/** @param {URL} url */
function isPage(url) {
  return isOurs(url) && !elsewhere.test(withoutBase(url.pathname));
}

/**
 * Whether two addresses differ at most in the part of the page that they name.
 * @param {URL} one
 * @param {URL} other
 */
export function samePage(one, other) {
  return one.pathname === other.pathname && one.search === other.search;
}

/** A name for a step of the history that no document of this tab has given before. */
export function newEntry() {
  return `${performance.timeOrigin}-${++entries}`;
}
