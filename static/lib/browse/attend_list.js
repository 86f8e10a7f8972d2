// @ts-check
import { addShortcuts } from "../keys.js";
import { listenForPastes } from "../upload/paste_listener.js";
import { listKeys } from "./list_keys.js";
import { rememberListPlace } from "./list_memory.js";
import { loadPagesAhead } from "./pages_ahead.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */

/**
 * Does for the list what can wait until it is there. Returns a function that ends it.
 * @param {Browser} browser
 * @param {BrowserActions} actions
 */
export function attendList(browser, actions) {
  const stops = [
    rememberListPlace(browser),
    loadPagesAhead(browser),
    addShortcuts(listKeys()),
    listenForPastes(browser, actions),
  ];
  return () => stops.forEach((stop) => stop());
}
