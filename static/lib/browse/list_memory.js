// @ts-check
/// <reference lib="dom" />
import { effect } from "@preact/signals";
import { currentPath } from "../base.js";

/** @import { Browser } from "./browser.js" */

/**
 * Where one is in a list, as a step of the history keeps it.
 * @typedef {{ scrollTop: number, activeKey: string }} ListPlace
 */

/** Milliseconds without scrolling after which the place is kept: browsers allow few changes of the history. */
const restTime = 200;

/**
 * Keeps in the step of the history where one is in the list, and goes there again when the reader has come back to it.
 * Returns a function that stops it.
 * @param {Browser} browser
 */
export function rememberListPlace(browser) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const keep = () => {
    const address = currentPath() + location.search;
    if (address !== browser.address || !browser.view) return;
    const list = { scrollTop: browser.view.scrollTop, activeKey: browser.activeKey.value };
    history.replaceState({ ...history.state, list }, "");
  };
  const keepSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(keep, restTime);
  };
  const onScroll = (/** @type {Event} */ { target }) => {
    if (target instanceof Element && target.id === "objects") keepSoon();
  };
  restore(browser, history.state?.list);
  document.addEventListener("scroll", onScroll, { capture: true, passive: true });
  const stopActive = browser.activeKey.subscribe(keepSoon);
  return () => {
    clearTimeout(timer);
    stopActive();
    document.removeEventListener("scroll", onScroll, { capture: true });
  };
}

/**
 * Goes to a place as soon as there are rows.
 * @param {Browser} browser
 * @param {ListPlace | undefined} place
 */
function restore(browser, place) {
  if (place === undefined) return;
  const stop = effect(() => {
    if (browser.rows.value.length === 0) return;
    queueMicrotask(() => {
      stop();
      if (browser.activeKey.peek() === "") browser.activeKey.value = place.activeKey;
      if (browser.view) browser.view.scrollTop = place.scrollTop;
    });
  });
}
