// @ts-check
import { addShortcuts } from "../keys.js";
import { listKeys } from "./list_keys.js";
import { rememberListPlace } from "./list_memory.js";
import { loadPagesAhead } from "./pages_ahead.js";

/** @import { Browser } from "./browser.js" */

/**
 * Does for the list what can wait until it is there. Returns a function that ends it.
 * @param {Browser} browser
 */
export function attendList(browser) {
  const stops = [rememberListPlace(browser), loadPagesAhead(browser), addShortcuts(listKeys())];
  return () => stops.forEach((stop) => stop());
}
