// @ts-check
/// <reference lib="dom" />
import { shortcutsOff } from "../keys.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */

/** Rows that Page Up and Page Down pass. */
const page = 12;

/** Milliseconds for which letters that jump to a name belong together. */
const typingTime = 1000;

/** The beginning of a name that is being typed; `null` while letters are shortcuts. @type {string | null} */
let typed = null;
let typedAt = -Infinity;

/**
 * What the keys do while the grid has the focus. Letters are left to the page's shortcuts; after `'`, or where those are
 * turned off, they jump to the name that begins so.
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @param {KeyboardEvent} event
 */
export function gridKeys(browser, actions, event) {
  if (event.target instanceof HTMLInputElement && event.target.type === "text") return;
  if (isCell(event.target)) return leaveCell(event);
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
function commandOf(browser, actions, { key, shiftKey, altKey, ctrlKey, metaKey, timeStamp }) {
  const modified = ctrlKey || metaKey;
  if (modified && key.toLowerCase() === "a") return () => browser.selectAll();
  if (modified || altKey) return null;
  const jump = jumpOf(browser, key, timeStamp);
  if (jump !== null) return jump;
  const index = browser.activeIndex.value;
  const entry = browser.activeEntry.value;
  const range = shiftKey;
  const last = browser.rows.value.length - 1;
  switch (key) {
    case "ArrowDown":
      return () => browser.moveTo(index + 1, { range });
    case "ArrowUp":
      if (index === 0 && !range) return () => focusOn(".sort-button");
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
    case "ArrowRight":
      return entry && (() => focusOn("[data-active] a"));
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

/** @param {EventTarget | null} target */
function isCell(target) {
  return target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement;
}

/** @param {string} selector of what is in the grid */
function focusOn(selector) {
  const found = document.querySelector(`#objects ${selector}`);
  if (found instanceof HTMLElement) found.focus();
}

/**
 * Goes from one part of a row, or of the head, to the next, and from the first back to the rows.
 * @param {KeyboardEvent} event
 */
function leaveCell(event) {
  const { key, target } = event;
  if (!["ArrowLeft", "ArrowRight", "ArrowDown", "Escape"].includes(key) || !(target instanceof HTMLElement)) {
    return;
  }
  event.preventDefault();
  /** @type {NodeListOf<HTMLElement> | undefined} */
  const found = target.closest(".object-row")?.querySelectorAll("a, button");
  const cells = [...found ?? []];
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const to = step && cells[cells.indexOf(target) + step];
  if (to) to.focus();
  else if (step !== 1) document.getElementById("objects")?.focus();
}

/** Goes to the list: the letters that follow jump to the name that begins so. */
export function startJump() {
  document.getElementById("objects")?.focus();
  typed = "";
  typedAt = performance.now();
}

/**
 * @param {Browser} browser
 * @param {string} key
 * @param {number} now when it was pressed, in milliseconds
 * @returns {(() => void) | null}
 */
function jumpOf(browser, key, now) {
  const letter = [...key].length === 1;
  const over = now - typedAt > typingTime || (!letter && key !== "Shift");
  if (over) typed = shortcutsOff() ? "" : null;
  const starts = typed === null && key === "'";
  if (!letter || (typed === null && !starts) || (key === " " && typed === "")) return null;
  const text = starts ? "" : `${typed}${key}`;
  return () => {
    typed = text;
    typedAt = now;
    const index = browser.rows.value.findIndex(({ name }) =>
      name.toLowerCase().startsWith(text.toLowerCase())
    );
    if (text !== "" && index >= 0) browser.moveTo(index);
  };
}
