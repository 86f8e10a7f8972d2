// @ts-check
/// <reference lib="dom" />

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */
/** @import { Shortcut } from "../keys.js" */

/**
 * The browser's shortcuts. Those without `run` are keys of the list itself, here for the sheet that shows them all.
 *
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @returns {Shortcut[]}
 */
export function browserShortcuts(browser, actions) {
  const group = "Browser";
  const focusList = () => {
    document.getElementById("objects")?.focus();
    browser.moveTo(Math.max(0, browser.activeIndex.value));
  };
  const details = () => {
    const entry = browser.activeEntry.value;
    if (browser.place.value.open !== "") browser.closeDetails();
    else if (entry && !entry.folder) browser.showDetails(entry.key);
  };
  /** @type {Shortcut[]} */
  const reading = [
    { keys: "/", label: "Filter", group, run: () => document.getElementById("filter")?.focus() },
    { keys: "ArrowDown", label: "Next row", group, run: focusList },
    { keys: "ArrowUp", label: "Previous row", group, run: focusList },
    { keys: "Home", label: "First row", group },
    { keys: "End", label: "Last row", group },
    { keys: "PageUp", label: "A page up", group },
    { keys: "PageDown", label: "A page down", group },
    { keys: "'", label: "Jump to the name typed next", group },
    { keys: "Enter", label: "Open", group },
    { keys: "Backspace", label: "To the folder above", group, run: () => actions.goUp() },
    { keys: " ", label: "Select, with Shift up to here", group },
    { keys: "mod+a", label: "Select all that is loaded", group, run: () => browser.selectAll() },
    { keys: "Escape", label: "Clear the selection, close the details", group, run: () => actions.escape() },
    { keys: "i", label: "Details", group, run: details },
    { keys: "d", label: "Download", group, run: () => actions.download(actions.targets()) },
    { keys: "y", label: "Copy the S3 URI", group, run: () => actions.copyUris(actions.targets()) },
    { keys: "Y", label: "Copy a link to it", group, run: () => actions.copyLinks(actions.targets()) },
  ];
  if (browser.canShare) {
    reading.push({ keys: "s", label: "Share", group, run: () => actions.share(actions.targets()) });
  }
  if (!browser.canWrite) return reading;
  return [
    ...reading,
    { keys: "u", label: "Upload files", group, run: () => actions.pickFiles() },
    { keys: "U", label: "Upload a folder", group, run: () => actions.pickFolder() },
    { keys: "n", label: "New folder", group, run: () => actions.newFolder() },
    { keys: "Delete", label: "Delete", group, run: () => actions.remove(actions.targets()) },
  ];
}
