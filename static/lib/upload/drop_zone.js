// @ts-check
/// <reference lib="dom" />
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { dropHint } from "../browse/lazy_parts.js";
import { t } from "../i18n.js";
import { toastError } from "../toast.js";
import { html } from "../ui.js";

/** @import { Browser } from "../browse/browser.js" */
/** @import { BrowserActions } from "../browse/actions.js" */
/** @import { Dropped } from "./walk.js" */

/**
 * Takes files and folders that are dropped anywhere on the page: into the open folder, or into the one whose row they are
 * dropped on. Shows where they will go.
 * @param {{ browser: Browser, actions: BrowserActions }} props
 */
export function DropZone({ browser, actions }) {
  const target = useSignal(/** @type {string | null} */ (null));
  useEffect(() => listenForDrops(browser, actions, target), []);
  return html`<${dropHint.View} browser=${browser} target=${target} />`;
}

/**
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @param {import("@preact/signals").Signal<string | null>} target the prefix that would be dropped into
 */
function listenForDrops(browser, actions, target) {
  const onDragOver = (/** @type {DragEvent} */ event) => {
    const { dataTransfer } = event;
    if (!dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    const allowed = actions.canChange && document.querySelector("dialog[open]") === null;
    dataTransfer.dropEffect = allowed ? "copy" : "none";
    if (!allowed) return;
    target.value = folderAt(event.target) ?? browser.place.value.prefix;
    // What is dropped is taken without it, too.
    dropHint.load().catch(() => {});
  };
  const onDrop = async (/** @type {DragEvent} */ event) => {
    const { dataTransfer } = event;
    if (!dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    const prefix = target.value;
    target.value = null;
    if (prefix === null) return;
    const dropped = droppedOn(dataTransfer);
    try {
      const { droppedFiles } = await import("./walk.js");
      actions.upload(await droppedFiles(dropped), prefix);
    } catch (error) {
      toastError(t("upload.drop_failed"), error);
    }
  };
  addEventListener("dragover", onDragOver);
  addEventListener("drop", onDrop);
  return () => {
    removeEventListener("dragover", onDragOver);
    removeEventListener("drop", onDrop);
  };
}

/**
 * What was dropped. The browser empties the transfer when the event's handler returns.
 * @param {DataTransfer} transfer
 * @returns {Dropped[]}
 */
function droppedOn({ items }) {
  return [...items].filter(({ kind }) => kind === "file").map((/** @type {any} */ item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
    handle: item.getAsFileSystemHandle?.().catch(() => null),
  }));
}

/** @param {EventTarget | null} target */
function folderAt(target) {
  const row = target instanceof Element ? target.closest("[data-folder]") : null;
  return row instanceof HTMLElement ? row.dataset.folder : undefined;
}
