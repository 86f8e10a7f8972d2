// @ts-check
/// <reference lib="dom" />

/** @import { RequestOptions } from "./api.js" */

/**
 * Calls `poll` every `interval` milliseconds while the page is visible and someone uses it: a forgotten tab must not ask
 * for ever. What is on its way when the page is hidden is aborted. Returns a function that stops it.
 * @param {(options: RequestOptions) => Promise<unknown>} poll takes what its requests are sent with; a rejection is left to the
 *   next round
 * @param {number} interval
 * @param {{ atOnce?: boolean }} [options] whether the first round is not waited for
 */
export function pollWhileVisible(poll, interval, { atOnce = false } = {}) {
  const maxIdle = 5 * 60_000;
  let lastInput = performance.now();
  /** Of the round that runs. @type {AbortController | null} */
  let round = null;
  const noteInput = () => lastInput = performance.now();
  const run = async () => {
    if (round || document.hidden || performance.now() - lastInput > maxIdle) return;
    const own = round = new AbortController();
    await poll({ signal: own.signal, background: true, priority: "prefetch" }).catch(() => {});
    // Of several requests one may have failed before the others were answered.
    own.abort();
    if (round === own) round = null;
  };
  const end = () => {
    round?.abort();
    round = null;
  };
  const onTurn = () => {
    noteInput();
    if (document.hidden) end();
    else run();
  };
  const listening = new AbortController();
  const { signal } = listening;
  for (const type of ["pointerdown", "pointermove", "keydown", "wheel"]) {
    addEventListener(type, noteInput, { passive: true, signal });
  }
  document.addEventListener("visibilitychange", onTurn, { signal });
  const timer = setInterval(run, interval);
  if (atOnce) run();
  return () => {
    clearInterval(timer);
    listening.abort();
    end();
  };
}
