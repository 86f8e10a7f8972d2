// @ts-check
/// <reference lib="dom" />

/** @import { Browser } from "./browser.js" */

/** Milliseconds that the pointer rests on a folder before that is listed, and the least between two such listings. */
const restTime = 120;
const prefetchPause = 500;

/**
 * Lists the folder that the pointer rests on, so that it opens at once. Returns a function that stops it.
 * @param {Browser} browser
 * @param {HTMLElement} box
 */
export function watchHover(browser, box) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let last = -Infinity;
  const onOver = (/** @type {PointerEvent} */ event) => {
    clearTimeout(timer);
    const row = event.target instanceof Element ? event.target.closest("[data-folder]") : null;
    const folder = row instanceof HTMLElement ? row.dataset.folder : undefined;
    if (event.pointerType !== "mouse" || folder === undefined) return;
    const wait = Math.max(restTime, last + prefetchPause - performance.now());
    timer = setTimeout(() => {
      last = performance.now();
      browser.prefetch(folder);
    }, wait);
  };
  const onOut = () => clearTimeout(timer);
  box.addEventListener("pointerover", onOver, { passive: true });
  box.addEventListener("pointerleave", onOut, { passive: true });
  return () => {
    clearTimeout(timer);
    box.removeEventListener("pointerover", onOver);
    box.removeEventListener("pointerleave", onOut);
  };
}
