// @ts-check
/// <reference lib="dom" />
import { t } from "../i18n.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */
/** @import { Shortcut } from "../keys.js" */

/** Keys that count wherever the focus is: they show something, and change nothing but what was done last. */
const anywhere = ["/", "ArrowDown", "ArrowUp", "j", "k", "alt+ArrowUp", "Escape", "i", "p", "mod+z"];

/**
 * The browser's shortcuts, but for the keys of the list itself.
 *
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @returns {Shortcut[]}
 */
export function browserShortcuts(browser, actions) {
  const reading = [...movingShortcuts(browser, actions), ...readingShortcuts(browser, actions)];
  if (browser.canShare) {
    reading.push(
      { keys: "s", label: t("browse.key_share"), run: () => actions.share(actions.targets()) },
      { keys: "r", label: t("browse.request_files"), run: () => actions.requestFiles() },
    );
  }
  const all = browser.canWrite ? [...reading, ...changingShortcuts(browser, actions)] : reading;
  return all.map((shortcut) => ({
    ...shortcut,
    group: t("browse.key_group"),
    when: () => anywhere.includes(shortcut.keys) || isAtList(),
  }));
}

/** Whether the focus is at the list or its tools, or nowhere. Elsewhere a key would not be meant for the rows. */
function isAtList() {
  const at = document.activeElement;
  return !at || at.matches("body, main") || at.closest(".browser-main > :not(.path-bar)") !== null;
}

/**
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @returns {Shortcut[]}
 */
function movingShortcuts(browser, actions) {
  const focusList = () => {
    document.getElementById("objects")?.focus();
    browser.moveTo(Math.max(0, browser.activeIndex.value));
  };
  const step = (/** @type {1 | -1} */ by) => () =>
    browser.moveTo(Math.max(0, browser.activeIndex.value + by));
  return [
    { keys: "/", label: t("common.filter"), run: () => document.getElementById("filter")?.focus() },
    { keys: "ArrowDown", label: t("browse.key_next"), run: focusList },
    { keys: "ArrowUp", label: t("browse.key_previous"), run: focusList },
    { keys: "j", label: t("browse.key_next_shown"), run: step(1) },
    { keys: "k", label: t("browse.key_previous_shown"), run: step(-1) },
    { keys: "Backspace", label: t("browse.key_up"), run: () => actions.goUp() },
    { keys: "alt+ArrowUp", label: t("browse.key_up"), run: () => actions.goUp() },
    { keys: "mod+a", label: t("browse.key_select_all"), run: () => browser.selectAll() },
    { keys: "Escape", label: t("browse.key_escape"), run: () => actions.escape() },
  ];
}

/**
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @returns {Shortcut[]}
 */
function readingShortcuts(browser, actions) {
  const details = () => {
    const entry = browser.activeEntry.value;
    if (browser.place.value.open !== "") browser.closeDetails();
    else if (entry && !entry.folder) browser.showDetails(entry.key);
  };
  const preview = async () => {
    const entry = browser.activeEntry.value;
    if (!entry || entry.folder) return;
    const { openFullScreen } = await import("../preview/full_screen.js");
    await openFullScreen(browser, entry);
  };
  return [
    { keys: "i", label: t("browse.details"), run: details },
    { keys: "p", label: t("browse.key_preview"), run: preview },
    { keys: "d", label: t("common.download"), run: () => actions.download(actions.targets()) },
    { keys: "y", label: t("browse.key_copy_uri"), run: () => actions.copyUris(actions.targets()) },
    { keys: "Y", label: t("browse.key_copy_link"), run: () => actions.copyLinks(actions.targets()) },
  ];
}

/**
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @returns {Shortcut[]}
 */
function changingShortcuts(browser, actions) {
  const active = () => browser.activeEntry.value ?? undefined;
  return [
    { keys: "u", label: t("browse.upload_files"), run: () => actions.pickFiles() },
    { keys: "U", label: t("browse.upload_folder"), run: () => actions.pickFolder() },
    { keys: "n", label: t("browse.new_folder"), run: () => actions.newFolder() },
    { keys: "F2", label: t("browse.rename"), run: () => actions.rename(active()) },
    { keys: "m", label: t("browse.move_to"), run: () => actions.move(actions.targets()) },
    { keys: "c", label: t("browse.copy_to"), run: () => actions.copy(actions.targets()) },
    { keys: "Delete", label: t("common.delete"), run: () => actions.remove(actions.targets()) },
    { keys: "mod+z", label: t("browse.key_undo"), run: () => browser.undo.last() },
  ];
}
