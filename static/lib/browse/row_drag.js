// @ts-check
/// <reference lib="dom" />

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */

/** What a drag of rows is known by, so that no other page takes it for files. */
const dragType = "application/x-object-keys";

/**
 * Moves rows that are dragged onto a folder: all that are selected, when the one that was taken is among them. The way
 * without a pointer is the dialog for moving. Returns a function that stops it.
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @param {HTMLElement} box
 */
export function watchDrags(browser, actions, box) {
  /** @type {readonly import("./entries.js").Entry[]} */
  let dragged = [];
  const rowAt = (
    /** @type {Event} */ event,
  ) => /** @type {HTMLElement | null} */ (event.target instanceof Element
    ? event.target.closest("[data-index]")
    : null);
  const mark = (/** @type {HTMLElement | null} */ row) => {
    for (const marked of box.querySelectorAll("[data-drop]")) marked.removeAttribute("data-drop");
    row?.setAttribute("data-drop", "");
  };
  const onStart = (/** @type {DragEvent} */ event) => {
    const entry = browser.rows.value[Number(rowAt(event)?.dataset.index)];
    if (!entry || event.dataTransfer === null || browser.matching.value || browser.renaming.value !== "") {
      return event.preventDefault();
    }
    dragged = browser.selection.value.keys.has(entry.key) ? browser.selected.value : [entry];
    event.dataTransfer.setData(dragType, "");
    event.dataTransfer.effectAllowed = "move";
  };
  const onOver = (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer?.types.includes(dragType)) return;
    const row = rowAt(event);
    const folder = row?.dataset.folder;
    const allowed = folder !== undefined && !dragged.some(({ key }) => key === folder);
    mark(allowed ? row : null);
    if (allowed) event.preventDefault();
  };
  const onDrop = (/** @type {DragEvent} */ event) => {
    const folder = rowAt(event)?.dataset.folder;
    mark(null);
    if (!event.dataTransfer?.types.includes(dragType) || folder === undefined) return;
    event.preventDefault();
    actions.moveInto(dragged, folder);
  };
  const onEnd = () => mark(null);
  box.addEventListener("dragstart", onStart);
  box.addEventListener("dragover", onOver);
  box.addEventListener("drop", onDrop);
  box.addEventListener("dragend", onEnd);
  box.dataset.drags = "";
  return () => {
    delete box.dataset.drags;
    box.removeEventListener("dragstart", onStart);
    box.removeEventListener("dragover", onOver);
    box.removeEventListener("drop", onDrop);
    box.removeEventListener("dragend", onEnd);
  };
}
