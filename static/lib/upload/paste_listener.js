// @ts-check
/// <reference lib="dom" />

/** @import { Browser } from "../browse/browser.js" */
/** @import { BrowserActions } from "../browse/actions.js" */

/**
 * Takes files that are pasted, such as screenshots, into the open folder. Returns a function that ends it.
 * @param {Browser} browser
 * @param {BrowserActions} actions
 */
export function listenForPastes(browser, actions) {
  const onPaste = async (/** @type {ClipboardEvent} */ event) => {
    const { clipboardData, target } = event;
    const typing = target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null;
    if (clipboardData === null || clipboardData.files.length === 0 || typing) return;
    if (!actions.canChange || document.querySelector("dialog[open]") !== null) return;
    event.preventDefault();
    const files = [...clipboardData.files];
    const { prefix } = browser.place.value;
    const { pastedFiles } = await import("./walk.js");
    actions.upload(pastedFiles(files, new Date()), prefix);
  };
  document.addEventListener("paste", onPaste);
  return () => document.removeEventListener("paste", onPaste);
}
