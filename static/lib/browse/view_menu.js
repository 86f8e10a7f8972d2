// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef } from "preact/hooks";
import { setPreference } from "../frame.js";
import { t } from "../i18n.js";
import { menuKeys } from "../menu_keys.js";
import { visit } from "../navigation.js";
import { html, Icon } from "../ui.js";
import { searchOf } from "./address.js";
import { optionalColumns, rememberColumns, showColumns } from "./columns.js";
import { measureFolders } from "./folder_sizes.js";

/** @import { Browser } from "./browser.js" */
/** @import { Column } from "./columns.js" */
/** @import { MessageKey } from "../i18n.js" */

/** @type {Readonly<Record<Column, MessageKey>>} */
const columnLabels = {
  type: "browse.column_type",
  class: "browse.column_class",
  owner: "browse.column_owner",
};

/**
 * How the list is shown: its columns, deleted objects, the sizes of folders.
 * @param {{ browser: Browser, anchor: { current: HTMLElement | null } }} props
 */
export function ViewMenu({ browser, anchor }) {
  const menu = useRef(/** @type {HTMLElement | null} */ (null));
  const open = browser.viewMenuOpen.value;
  useEffect(() => {
    if (!open || menu.current === null) return;
    menu.current.showPopover();
    place(menu.current, anchor.current);
    menu.current.querySelector("button")?.focus();
  }, [open]);
  const onToggle = (/** @type {any} */ event) => {
    if (event.newState === "closed") browser.viewMenuOpen.value = false;
  };
  const choose = (/** @type {() => unknown} */ run) => {
    menu.current?.hidePopover();
    anchor.current?.querySelector("button")?.focus();
    run();
  };
  const toggle = (/** @type {Column} */ column) => {
    const shown = browser.columns.value;
    const wanted = optionalColumns.filter((other) =>
      other === column ? !shown.includes(column) : shown.includes(other)
    );
    rememberColumns(wanted);
    showColumns(browser, wanted);
  };
  const { view, prefix } = browser.place.value;
  const isVersions = view === "versions";
  const isTable = browser.isTable;
  const folders = browser.loader.listing.value.folders.length;
  return html`
    <div class="menu" popover="auto" role="menu" aria-label=${t("browse.view_options")} ref=${menu}
      onToggle=${onToggle} onKeyDown=${menuKeys}>
      ${optionalColumns.map((column) => {
        const on = browser.columns.value.includes(column);
        return html`
          <button type="button" role="menuitemcheckbox" key=${column} class="menu-item"
            aria-checked=${on ? "true" : "false"} onClick=${() => toggle(column)}>
            <${Icon} name="check" /><span>${t(
              columnLabels[column],
            )}</span></button>
        `;
      })}
      <hr class="menu-line" />
      <button type="button" role="menuitemcheckbox" class="menu-item"
        aria-checked=${isVersions ? "true" : "false"}
        onClick=${() => choose(() => browser.alter({ view: isVersions ? "" : "versions", at: "" }))}>
        <${Icon} name="check" /><span>${t(
          "browse.show_deleted",
        )}</span></button>
      <button type="button" role="menuitemcheckbox" class="menu-item" aria-checked=${isTable
        ? "true"
        : "false"} onClick=${() => choose(() => switchList(browser))}>
        <${Icon} name="check" /><span>${t("browse.as_plain_table")}</span></button>
      <button type="button" role="menuitem" class="menu-item" disabled=${folders === 0}
        onClick=${() => choose(() => measureFolders(browser, prefix))}>
        <${Icon} name="chart" /><span>${t("browse.measure_folders")}</span></button>
      <button type="button" role="menuitem" class="menu-item" onClick=${() => choose(() => browser.reload())}>
        <${Icon} name="refresh" /><span>${t("browse.reload")}</span></button>
    </div>
  `;
}

/**
 * Shows the folder as a plain table, or no longer, from now on in this browser.
 * @param {Browser} browser
 */
function switchList(browser) {
  setPreference("list", browser.isTable ? "" : "table");
  const { prefix, filter } = browser.place.value;
  visit(browser.page + searchOf({ prefix, filter }), { replace: true });
}

/**
 * @param {HTMLElement} menu
 * @param {HTMLElement | null} anchor
 */
function place(menu, anchor) {
  const { bottom, right } = (anchor ?? menu).getBoundingClientRect();
  menu.style.insetInlineStart = `${Math.max(8, right - menu.offsetWidth)}px`;
  menu.style.insetBlockStart = `${Math.max(8, Math.min(bottom + 4, innerHeight - menu.offsetHeight - 8))}px`;
}
