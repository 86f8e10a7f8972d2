// @ts-check
/// <reference lib="dom" />

/**
 * Calls `poll` every `interval` milliseconds while the page is visible and someone uses it: a forgotten tab must not ask
 * for ever. Returns a function that stops it.
 * @param {() => Promise<unknown>} poll its requests should be `background`; a rejection is left to the next round
 * @param {number} interval
 */
export function pollWhileVisible(poll, interval) {
  const maxIdle = 5 * 60_000;
  let lastInput = performance.now();
  let running = false;
  const noteInput = () => lastInput = performance.now();
  const run = async () => {
    if (running || document.hidden || performance.now() - lastInput > maxIdle) return;
    running = true;
    await poll().catch(() => {});
    running = false;
  };
  const onTurn = () => {
    noteInput();
    run();
  };
  const listening = new AbortController();
  const { signal } = listening;
  for (const type of ["pointerdown", "pointermove", "keydown", "wheel"]) {
    addEventListener(type, noteInput, { passive: true, signal });
  }
  document.addEventListener("visibilitychange", onTurn, { signal });
  const timer = setInterval(run, interval);
  return () => {
    clearInterval(timer);
    listening.abort();
  };
}
