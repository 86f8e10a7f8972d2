// @ts-check
/// <reference lib="dom" />

/**
 * A shortcut of one key, or of two after another (`g o`).
 * @typedef {object} Shortcut
 * @property {string} keys as `KeyboardEvent.key` names them, such as `/`, `?` or `g o`; `mod+k` is Ctrl+K or Cmd+K, `alt+k`
 *   Alt+K or Option+K
 * @property {string} label what it does, for the sheet that `?` opens
 * @property {string} [group] its heading in that sheet
 * @property {() => void} [run] left out where a part of the page listens to the key itself, and only the sheet names it
 * @property {string} [href] the page that it leads to
 * @property {() => boolean} [when] whether it counts now; always when left out
 * @property {boolean} [whileTyping] counts in fields too, as only a key with Ctrl or Cmd may
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

/**
 * Starts to listen. Keys typed into a field are no shortcuts, and none is while a dialog is open; those of a menu are its own,
 * also before it has the focus. Of several with the same keys the one that was added last counts: a page's own before the
 * frame's.
 */
export function listenForShortcuts() {
  addEventListener("keydown", (event) => {
    const { altKey } = event;
    const mod = event.ctrlKey || event.metaKey;
    // Both together are how some keyboards write further letters.
    if (event.defaultPrevented || event.isComposing || (mod && altKey)) return;
    const modified = mod || altKey;
    const above = `dialog[open]${modified ? "" : ",[popover=auto]:popover-open"}`;
    if (document.querySelector(above) || (!modified && shortcutsOff())) return;
    const key = mod ? `mod+${event.key.toLowerCase()}` : altKey ? `alt+${event.key}` : event.key;
    const pair = event.timeStamp - firstAt < pairWindow ? `${first} ${key}` : "";
    const typing = isTyping(event.target);
    const usable = listShortcuts().filter(({ whileTyping, when }) =>
      (whileTyping || !typing) && (!when || when())
    );
    const found = usable.findLast(({ keys }) => keys === pair) ?? usable.findLast(({ keys }) => keys === key);
    if (typing && found === undefined) return;
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
