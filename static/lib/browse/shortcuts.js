// @ts-check
/// <reference lib="dom" />
import { t } from "../i18n.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */
/** @import { Shortcut } from "../keys.js" */

/** What to press, what that does in words, and what does it. @typedef {[keys: string, label: string, run: () => void]} Row */

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
      ["s", t("browse.key_share"), () => actions.share(actions.targets())],
      ["r", t("browse.request_files"), () => actions.requestFiles()],
    );
  }
  const all = browser.canWrite ? [...reading, ...changingShortcuts(browser, actions)] : reading;
  return all.map(([keys, label, run]) => ({
    keys,
    label,
    run,
    group: t("browse.key_group"),
    when: () => anywhere.includes(keys) || isAtList(),
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
 * @returns {Row[]}
 */
function movingShortcuts(browser, actions) {
  const focusList = () => {
    document.getElementById("objects")?.focus();
    browser.moveTo(Math.max(0, browser.activeIndex.value));
  };
  const step = (/** @type {1 | -1} */ by) => () =>
    browser.moveTo(Math.max(0, browser.activeIndex.value + by));
  return [
    ["/", t("common.filter"), () => document.getElementById("filter")?.focus()],
    ["ArrowDown", t("browse.key_next"), focusList],
    ["ArrowUp", t("browse.key_previous"), focusList],
    ["j", t("browse.key_next_shown"), step(1)],
    ["k", t("browse.key_previous_shown"), step(-1)],
    ["Backspace", t("browse.key_up"), () => actions.goUp()],
    ["alt+ArrowUp", t("browse.key_up"), () => actions.goUp()],
    ["mod+a", t("browse.key_select_all"), () => browser.selectAll()],
    ["Escape", t("browse.key_escape"), () => actions.escape()],
  ];
}

/**
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @returns {Row[]}
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
    ["i", t("browse.details"), details],
    ["p", t("browse.key_preview"), preview],
    ["d", t("common.download"), () => actions.download(actions.targets())],
    ["y", t("browse.key_copy_uri"), () => actions.copyUris(actions.targets())],
    ["Y", t("browse.key_copy_link"), () => actions.copyLinks(actions.targets())],
  ];
}

/**
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @returns {Row[]}
 */
function changingShortcuts(browser, actions) {
  const active = () => browser.activeEntry.value ?? undefined;
  return [
    ["u", t("browse.upload_files"), () => actions.pickFiles()],
    .../** @type {Row[]} */ (actions.takesFolders
      ? [["U", t("browse.upload_folder"), () => actions.pickFolder()]]
      : []),
    ["n", t("browse.new_folder"), () => actions.newFolder()],
    ["F2", t("browse.rename"), () => actions.rename(active())],
    ["m", t("browse.move_to"), () => actions.move(actions.targets())],
    ["c", t("browse.copy_to"), () => actions.copy(actions.targets())],
    ["Delete", t("common.delete"), () => actions.remove(actions.targets())],
    ["mod+z", t("browse.key_undo"), () => browser.undo.last()],
  ];
}
