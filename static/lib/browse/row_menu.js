// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef } from "preact/hooks";
import { html, Icon } from "../ui.js";
import { t } from "../i18n.js";
import { menuKeys } from "../menu_keys.js";
import { rowMenuItems } from "./row_menu_items.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */
/** @import { Item } from "./row_menu_items.js" */

/**
 * What can be done with one row: one menu for the whole list, which hangs from the button that it was opened by.
 * @param {{ browser: Browser, actions: BrowserActions }} props
 */
export function RowMenu({ browser, actions }) {
  const open = actions.menuTarget.value;
  const menu = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (open === null || menu.current === null) return;
    menu.current.showPopover();
    place(menu.current, open.button);
    menu.current.querySelector("button")?.focus();
  }, [open]);
  const choose = (/** @type {Item} */ item) => {
    menu.current?.hidePopover();
    item.run();
  };
  const onToggle = (/** @type {any} */ event) => {
    if (event.newState !== "closed") return;
    if (document.activeElement === document.body) document.getElementById("objects")?.focus();
    actions.menuTarget.value = null;
  };
  const name = open?.entry.name || t("browse.no_name");
  return html`
    <div class="menu" popover="auto" role="menu" aria-label=${t("browse.actions_for", { name })} ref=${menu}
      onKeyDown=${menuKeys} onToggle=${onToggle}>
      ${open && rowMenuItems(browser, actions, open.entry).map((item) =>
        html`
          <button type="button" role="menuitem" key=${item.label}
            class="menu-item ${item.danger ? "menu-item-danger" : ""}" onClick=${() => choose(item)}>
            <${Icon} name=${item.icon} /><span>${item.label}</span>
          </button>
        `
      )}
    </div>
  `;
}

/**
 * Puts the menu below its button, or above it where there is no room.
 * @param {HTMLElement} menu
 * @param {Element} button
 */
function place(menu, button) {
  const { top, bottom, right } = button.getBoundingClientRect();
  const { offsetHeight: height, offsetWidth: width } = menu;
  const below = bottom + height <= innerHeight ? bottom : Math.max(8, top - height);
  menu.style.insetInlineStart = `${Math.max(8, right - width)}px`;
  menu.style.insetBlockStart = `${below}px`;
}
