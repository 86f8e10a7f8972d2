// @ts-check
/// <reference lib="dom" />

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */

/** Rows that Page Up and Page Down pass. */
const page = 12;

/**
 * What the keys do while the grid has the focus. Letters are left to the page's shortcuts.
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @param {KeyboardEvent} event
 */
export function gridKeys(browser, actions, event) {
  if (event.target instanceof HTMLButtonElement) return;
  const run = commandOf(browser, actions, event);
  if (run === null) return;
  event.preventDefault();
  run();
}

/**
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @param {KeyboardEvent} event
 * @returns {(() => void) | null}
 */
function commandOf(browser, actions, { key, shiftKey, altKey, ctrlKey, metaKey }) {
  const modified = ctrlKey || metaKey;
  if (modified && key.toLowerCase() === "a") return () => browser.selectAll();
  if (altKey && key === "ArrowUp") return () => actions.goUp();
  if (modified || altKey) return null;
  const index = browser.activeIndex.value;
  const entry = browser.activeEntry.value;
  const range = shiftKey;
  const last = browser.rows.value.length - 1;
  switch (key) {
    case "ArrowDown":
      return () => browser.moveTo(index + 1, { range });
    case "ArrowUp":
      return () => browser.moveTo(index < 0 ? 0 : index - 1, { range });
    case "PageDown":
      return () => browser.moveTo(index + page, { range });
    case "PageUp":
      return () => browser.moveTo(index - page, { range });
    case "Home":
      return () => browser.moveTo(0, { range });
    case "End":
      return () => browser.moveTo(last, { range });
    case " ":
      return () => browser.select(index, { toggle: true, range });
    case "Enter":
      return entry && (() => actions.open(entry));
    case "Backspace":
      return () => actions.goUp();
    case "Escape":
      return () => actions.escape();
    default:
      return null;
  }
}
