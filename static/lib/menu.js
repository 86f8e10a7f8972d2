// @ts-check
/// <reference lib="dom" />
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { useElementId } from "./ids.js";
import { menuKeys } from "./menu_keys.js";

/**
 * A menu that opens below its button: native popover, arrow keys between its entries. `hint` says why an entry is disabled;
 * the keyboard comes to that too, so that everyone hears of it. An entry that is `checked` or not is switched, and the menu
 * stays open. `onOpen` is called before the menu is seen.
 * @param {{ label: string, icon?: string, onOpen?: () => void, items: Array<{ label: string, icon?: string, danger?: boolean,
 *   disabled?: boolean, hint?: string, checked?: boolean, run: () => void }> }} props
 */
export function Menu({ label, icon = "more", onOpen, items }) {
  const id = useElementId();
  const place = (/** @type {any} */ event) => {
    if (event.newState !== "open") return;
    const menu = event.currentTarget;
    const button = document.querySelector(`[popovertarget="${id}"]`);
    const { bottom, top, right } = /** @type {Element} */ (button).getBoundingClientRect();
    const height = menu.offsetHeight;
    menu.style.left = `${Math.max(8, right - menu.offsetWidth)}px`;
    menu.style.insetBlockStart = `${
      bottom + 4 + height > innerHeight ? Math.max(8, top - 4 - height) : bottom + 4
    }px`;
    menu.querySelector("button:not(:disabled)")?.focus();
  };
  const choose = (/** @type {any} */ event, /** @type {() => void} */ run) => {
    event.currentTarget.closest("[popover]").hidePopover();
    run();
  };
  return html`
    <button type="button" class="icon-button needs-script" popovertarget=${id} aria-haspopup="menu"
      aria-label=${label}>
      <${Icon} name=${icon} />
    </button>
    <div id=${id} class="menu" popover="auto" role="menu" aria-label=${label} onKeyDown=${menuKeys}
      onBeforeToggle=${(/** @type {any} */ event) =>
        event.newState === "open" && onOpen?.()} onToggle=${place}>
      ${items.map((item) =>
        html`
          <button type="button" role=${item.checked === undefined
            ? "menuitem"
            : "menuitemcheckbox"} key=${item.label}
            class="menu-item ${item.danger
              ? "menu-item-danger"
              : ""}" aria-checked=${item.checked === undefined
              ? undefined
              : String(item.checked)}
            disabled=${item.disabled && !item.hint} aria-disabled=${item.disabled ? "true" : undefined}
            aria-label=${item.label} title=${item.hint} onClick=${(/** @type {any} */ event) =>
              item.disabled || (item.checked === undefined ? choose(event, item.run) : item.run())}>
            ${item.icon && html`<${Icon} name=${item.icon} />`}<span>${item.label}${item.disabled &&
              item.hint &&
              html`<small>${item.hint}</small>`}</span>
          </button>
        `
      )}
    </div>
  `;
}
