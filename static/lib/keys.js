// @ts-check
/// <reference lib="dom" />

/**
 * A shortcut of one key, or of two after another (`g o`).
 * @typedef {object} Shortcut
 * @property {string} keys as `KeyboardEvent.key` names them, such as `/`, `?` or `g o`; `mod+k` is Ctrl+K or Cmd+K
 * @property {string} label what it does, for the sheet that `?` opens
 * @property {string} [group] its heading in that sheet
 * @property {() => void} [run] left out where a part of the page listens to the key itself, and only the sheet names it
 */

/** @type {Set<Shortcut>} */
const shortcuts = new Set();

/** The first key of a pair counts for this long, in milliseconds; a page that is busy does not shorten it. */
const pairWindow = 1200;

let first = "";
let firstAt = 0;

/**
 * Adds shortcuts. Returns a function that removes them.
 * @param {Shortcut[]} added
 */
export function addShortcuts(added) {
  for (const shortcut of added) shortcuts.add(shortcut);
  return () => {
    for (const shortcut of added) shortcuts.delete(shortcut);
  };
}

/** Every shortcut of the page as it is now. */
export function listShortcuts() {
  return [...shortcuts];
}

/** Whether the user has turned single-key shortcuts off (WCAG 2.1.4). */
export function shortcutsOff() {
  return localStorage.getItem("shortcuts") === "off";
}

/**
 * Turns single-key shortcuts off or on for this browser.
 * @param {boolean} off
 */
export function setShortcutsOff(off) {
  if (off) localStorage.setItem("shortcuts", "off");
  else localStorage.removeItem("shortcuts");
}

/** Starts to listen. Keys typed into a field, or while a dialog is open, are never shortcuts. */
export function listenForShortcuts() {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing || isTyping(event.target)) return;
    const modified = event.ctrlKey || event.metaKey;
    if (document.querySelector("dialog[open]") !== null || (!modified && shortcutsOff())) return;
    const key = modified ? `mod+${event.key.toLowerCase()}` : event.key;
    const pair = event.timeStamp - firstAt < pairWindow ? `${first} ${key}` : "";
    const found = listShortcuts().find(({ keys }) => keys === pair) ??
      listShortcuts().find(({ keys }) => keys === key);
    first = found === undefined && !modified ? key : "";
    firstAt = event.timeStamp;
    if (found?.run === undefined) return;
    event.preventDefault();
    found.run();
  });
}

/**
 * Whether keys belong to the field that has the focus.
 * @param {EventTarget | null} target
 */
function isTyping(target) {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) {
    return !["checkbox", "radio", "button", "submit"].includes(target.type);
  }
  return target.isContentEditable || target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement;
}
