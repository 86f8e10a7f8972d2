// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { t } from "./i18n.js";
import { addShortcuts } from "./keys.js";

/**
 * Lets `/` lead to the field that a page's rows are filtered by.
 * @param {string} group the shortcut's heading in the sheet of all
 * @param {string} [field] what selects it
 */
export function useFilterKey(group, field = "#filter") {
  useEffect(() => {
    const run = () => /** @type {HTMLElement | null} */ (document.querySelector(field))?.focus();
    return addShortcuts([{ keys: "/", label: t("common.filter"), group, run }]);
  }, []);
}
