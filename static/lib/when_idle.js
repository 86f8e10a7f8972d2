// @ts-check
/// <reference lib="dom" />

/** Milliseconds in which a page that has just come to life is left to its reader. */
const pause = 500;

/** Milliseconds after which it runs although the page is busy. */
const maxWait = 2000;

/**
 * Runs something that can wait, once the page is there and has nothing else to do.
 * @param {() => unknown} run
 */
export function whenIdle(run) {
  setTimeout(() => {
    // Safari has no idle callbacks.
    if (globalThis.requestIdleCallback === undefined) run();
    else requestIdleCallback(() => run(), { timeout: maxWait });
  }, pause);
}
