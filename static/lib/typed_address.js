// @ts-check
/// <reference lib="dom" />

/** What is typed: the address of the page before it, and the present one. */
let typed = { from: "", to: "" };

// Whoever goes back or forward begins anew.
if (globalThis.document) addEventListener("popstate", () => typed = { from: "", to: "" });

/**
 * Takes an address for what the user is typing. Until {@link commitTyped} that is no step of the history.
 * @param {string} url as the browser has it: below the base path
 */
export function writeTyped(url) {
  const from = typed.to === location.href ? typed.from : location.href;
  history.replaceState(history.state, "", url);
  typed = { from, to: location.href };
}

/** Makes what was typed a step of the history, with that before it to go back to. */
export function commitTyped() {
  const { from: url, to } = typed;
  typed = { from: "", to: "" };
  if (to !== location.href || to === url) return;
  history.replaceState(history.state, "", url);
  goOn(to);
}

/** @param {string} url */
function goOn(url) {
  history.pushState(history.state, "", url);
}
