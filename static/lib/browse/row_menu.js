// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef } from "preact/hooks";
import { html, Icon } from "../ui.js";
import { objectUrl } from "./object_urls.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */
/** @import { Entry } from "./entries.js" */

/** @typedef {{ label: string, icon: string, danger?: boolean, run: () => unknown }} Item */

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
  const name = open?.entry.name || "(no name)";
  return html`
    <div class="menu" popover="auto" role="menu" aria-label="Actions for ${name}" ref=${menu}
      onKeyDown=${move} onToggle=${onToggle}>
      ${open && itemsOf(browser, actions, open.entry).map((item) =>
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
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @param {Entry} entry
 * @returns {Item[]}
 */
function itemsOf(browser, actions, entry) {
  const { key, folder } = entry;
  const copies = [
    { label: "Copy S3 URI", icon: "copy", run: () => actions.copyUris([entry]) },
    { label: "Copy link", icon: "link", run: () => actions.copyLinks([entry]) },
    ...browser.canShare ? [{ label: "Share…", icon: "share", run: () => actions.share([entry]) }] : [],
  ];
  const remove = { label: "Delete", icon: "trash", danger: true, run: () => actions.remove([entry]) };
  const last = browser.canWrite ? [remove] : [];
  if (folder) return [{ label: "Open", icon: "folder", run: () => actions.open(entry) }, ...copies, ...last];
  const view = () => globalThis.open(objectUrl(browser.api, key, "inline"), "_blank", "noopener");
  return [
    { label: "Open", icon: "external", run: view },
    { label: "Download", icon: "download", run: () => actions.download([entry]) },
    ...copies,
    { label: "Details", icon: "info", run: () => browser.showDetails(key) },
    ...last,
  ];
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

/** @param {any} event */
function move(event) {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll("button")];
  const step = event.key === "ArrowDown" ? 1 : -1;
  items.at((items.indexOf(document.activeElement) + step) % items.length)?.focus();
}
