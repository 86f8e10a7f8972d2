// @ts-check
/// <reference lib="dom" />

/** What is typed: the address of the page before it, and the present one. */
let typed = { from: "", to: "" };

/**
 * Takes an address for what the user is typing. Until {@link commitTyped} that is no step of the history.
 * @param {string} to
 */
export function writeTyped(to) {
  const from = typed.to === location.href ? typed.from : location.href;
  history.replaceState(history.state, "", to);
  typed = { from, to: location.href };
}

/** Makes what was typed a step of the history, with that before it to go back to. */
export function commitTyped() {
  const { from, to } = typed;
  typed = { from: "", to: "" };
  if (to !== location.href || from === to) return;
  history.replaceState(history.state, "", from);
  history.pushState(history.state, "", to);
}
