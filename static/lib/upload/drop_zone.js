// @ts-check
/// <reference lib="dom" />
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { KeyLabel } from "../browse/key_label.js";
import { t } from "../i18n.js";
import { toastError } from "../toast.js";
import { html, Icon } from "../ui.js";

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
  useEffect(() => markRow(target.value, browser.place.value.prefix), [target.value]);
  if (target.value === null) return null;
  const where = target.value === "" ? browser.bucket : target.value;
  return html`
    <div class="drop-zone">
      <p><${Icon} name="upload" /> ${t("upload.drop_into")} <strong><${KeyLabel} name=${where} /></strong></p>
    </div>
  `;
}

/**
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @param {import("@preact/signals").Signal<string | null>} target the prefix that would be dropped into
 */
function listenForDrops(browser, actions, target) {
  const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
  const onDragOver = (/** @type {DragEvent} */ event) => {
    if (!hasFiles(event) || event.dataTransfer === null) return;
    event.preventDefault();
    const allowed = actions.canChange && document.querySelector("dialog[open]") === null;
    event.dataTransfer.dropEffect = allowed ? "copy" : "none";
    if (allowed) target.value = folderAt(event.target) ?? browser.place.value.prefix;
  };
  const onDragLeave = (/** @type {DragEvent} */ event) => {
    if (event.relatedTarget === null) target.value = null;
  };
  const onDrop = async (/** @type {DragEvent} */ event) => {
    if (!hasFiles(event) || event.dataTransfer === null) return;
    event.preventDefault();
    const prefix = target.value;
    target.value = null;
    if (prefix === null) return;
    const dropped = droppedOn(event.dataTransfer);
    try {
      const { droppedFiles } = await import("./walk.js");
      actions.upload(await droppedFiles(dropped), prefix);
    } catch (error) {
      toastError(t("upload.drop_failed"), error);
    }
  };
  addEventListener("dragover", onDragOver);
  addEventListener("dragleave", onDragLeave);
  addEventListener("drop", onDrop);
  return () => {
    removeEventListener("dragover", onDragOver);
    removeEventListener("dragleave", onDragLeave);
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

/**
 * @param {string | null} target
 * @param {string} open
 */
function markRow(target, open) {
  for (const row of document.querySelectorAll("[data-drop]")) row.removeAttribute("data-drop");
  if (target === null || target === open) return;
  document.querySelector(`[data-folder="${CSS.escape(target)}"]`)?.setAttribute("data-drop", "");
}
