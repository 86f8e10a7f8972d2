// @ts-check
/// <reference lib="dom" />

/** @import { Browser } from "./browser.js" */

/** Milliseconds that a finger rests on a row to select it, and CSS pixels that it may stray meanwhile. */
const pressTime = 500;
const slack = 10;

/** What of a row has a meaning of its own under a finger. */
const ownParts = ".object-check, .object-more, .rename-field";

/**
 * Selects by touch: a long press on a row does, and where something is selected, so does a tap. Returns a function that
 * stops it.
 * @param {Browser} browser
 * @param {HTMLElement} box
 */
export function watchTouch(browser, box) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let from = { x: 0, y: 0 };
  let isTouch = false;
  let wasLong = false;
  /** Whether anything was selected before the first of taps in quick succession. */
  let wasSelecting = false;
  // Keys and other pointers that came after the last press are not held back. Of some events only that press tells.
  const isByTouch = (/** @type {Event} */ event) =>
    event instanceof PointerEvent ? event.pointerType === "touch" : isTouch;
  const onDown = (/** @type {PointerEvent} */ event) => {
    clearTimeout(timer);
    isTouch = event.pointerType === "touch";
    wasLong = false;
    const key = browser.rows.value[indexAt(event)]?.key;
    if (!isTouch || !event.isPrimary || key === undefined || isOwnPart(event)) return;
    from = { x: event.clientX, y: event.clientY };
    timer = setTimeout(() => {
      wasLong = true;
      browser.select(browser.rows.value.findIndex((entry) => entry.key === key), { toggle: true });
    }, pressTime);
  };
  const onMove = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    if (Math.hypot(clientX - from.x, clientY - from.y) > slack) clearTimeout(timer);
  };
  const onEnd = () => clearTimeout(timer);
  const onClick = (/** @type {MouseEvent} */ event) => {
    const byTouch = isByTouch(event);
    const isLong = byTouch && wasLong;
    wasLong = false;
    const isSelecting = browser.selection.value.keys.size > 0;
    if (event.detail <= 1) wasSelecting = isSelecting;
    // The second of two quick taps does what the first did, even if that has left nothing selected.
    const taps = byTouch && (isSelecting || wasSelecting) && indexAt(event) >= 0 && !isOwnPart(event);
    if (!isLong && !taps) return;
    event.preventDefault();
    event.stopPropagation();
    if (!isLong) browser.select(indexAt(event), { toggle: true });
  };
  const onDoubleClick = (/** @type {Event} */ event) => {
    if (isTouch && wasSelecting) event.stopPropagation();
  };
  // A long press would also open the browser's menu, or drag the row.
  const onNative = (/** @type {Event} */ event) => {
    if (!isByTouch(event) || indexAt(event) < 0) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const listeners = /** @type {const} */ ([
    ["pointerdown", onDown],
    ["pointermove", onMove],
    ["pointerup", onEnd],
    ["pointercancel", onEnd],
    ["click", onClick],
    ["dblclick", onDoubleClick],
    ["contextmenu", onNative],
    ["dragstart", onNative],
  ]);
  for (const [type, listener] of listeners) {
    box.addEventListener(type, /** @type {EventListener} */ (listener), { capture: true });
  }
  return () => {
    clearTimeout(timer);
    for (const [type, listener] of listeners) {
      box.removeEventListener(type, /** @type {EventListener} */ (listener), { capture: true });
    }
  };
}

/** @param {Event} event */
function indexAt({ target }) {
  const row = target instanceof Element ? target.closest("[data-index]") : null;
  return row instanceof HTMLElement ? Number(row.dataset.index) : -1;
}

/** @param {Event} event */
function isOwnPart({ target }) {
  return target instanceof Element && target.closest(ownParts) !== null;
}
