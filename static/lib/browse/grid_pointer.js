// @ts-check
/// <reference lib="dom" />

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */

/** Where a tap on a row opens it, since there is neither a double click nor room to aim at its name. */
const tapping = "(pointer: coarse), (max-width: 599px)";

/**
 * The row that something happened in.
 * @param {Browser} browser
 * @param {Event} event
 */
function rowOf(browser, event) {
  const element = event.target instanceof Element ? event.target.closest("[data-index]") : null;
  const index = element instanceof HTMLElement ? Number(element.dataset.index) : -1;
  return { index, entry: browser.rows.value[index] };
}

/**
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @param {MouseEvent} event
 */
export function clickRow(browser, actions, event) {
  const { index, entry } = rowOf(browser, event);
  if (!entry || !(event.target instanceof Element) || event.target.closest(".rename-field")) return;
  const toggle = event.ctrlKey || event.metaKey;
  const range = event.shiftKey;
  const more = event.target.closest(".object-more button");
  if (more !== null) {
    browser.activeKey.value = entry.key;
    actions.openMenu(entry, more);
    return;
  }
  if (event.target.closest(".object-check")) browser.select(index, { toggle: true, range });
  else if (event.target.closest("a")) {
    event.preventDefault();
    if (toggle || range) browser.select(index, { toggle, range });
    else actions.open(entry);
  } else if (!toggle && !range && matchMedia(tapping).matches) actions.open(entry);
  else browser.select(index, { toggle, range });
  document.getElementById("objects")?.focus({ preventScroll: true });
}

/**
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @param {MouseEvent} event
 */
export function openRow(browser, actions, event) {
  const { entry } = rowOf(browser, event);
  if (entry && event.target instanceof Element && !event.target.closest("a, button, input, .object-check")) {
    actions.open(entry);
  }
}
