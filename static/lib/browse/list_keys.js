// @ts-check
import { t } from "../i18n.js";
import { startJump } from "./grid_keys.js";

/** @import { Shortcut } from "../keys.js" */

/**
 * The keys of the list itself, for the sheet that shows all.
 * @returns {Shortcut[]}
 */
export function listKeys() {
  /** @type {Shortcut[]} */
  const keys = [
    { keys: "ArrowRight", label: t("browse.key_into_row") },
    { keys: "Home", label: t("browse.key_first") },
    { keys: "End", label: t("browse.key_last") },
    { keys: "PageUp", label: t("browse.key_page_up") },
    { keys: "PageDown", label: t("browse.key_page_down") },
    { keys: "'", label: t("browse.key_jump"), run: startJump },
    { keys: "Enter", label: t("common.open") },
    { keys: " ", label: t("browse.key_select") },
  ];
  return keys.map((shortcut) => ({ ...shortcut, group: t("browse.key_group") }));
}
