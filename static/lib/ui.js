// @ts-check
/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { formatDateTime, formatRelative, formatUtc, splitBytes } from "./format.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";
import { useElementId } from "./ids.js";

export { html, Icon };

/** The reader's clock in whole minutes, 0 until the page is alive: the server's own time counts until then. */
export const minute = signal(0);

/** Starts the clock by which relative times on the page go on. */
export function startClock() {
  minute.value = Date.now();
  setInterval(() => minute.value = Date.now(), 30_000);
}

/**
 * A moment, relative to now, absolute when pointed at. On the server and at first in the browser it is seen from `now`,
 * so that both write the same.
 * @param {{ at: string | number, now: number }} props
 */
export function Time({ at, now }) {
  const milliseconds = typeof at === "number" ? at : Date.parse(at);
  const alive = minute.value !== 0;
  return html`
    <time datetime=${new Date(milliseconds).toISOString()}
      title=${alive ? formatDateTime(milliseconds) : formatUtc(milliseconds)}>${formatRelative(
        milliseconds,
        alive ? Math.max(minute.value, now) : now,
      )}</time>
  `;
}

/**
 * A size with its unit dimmed.
 * @param {{ value: number }} props
 */
export function Bytes({ value }) {
  const parts = splitBytes(value);
  return html`<span class="number bytes" title="${value} bytes">${parts.value}<span class="unit"> ${parts.unit}</span></span>`;
}

// Buttons that submit nothing do nothing without script: the class takes them away then.

/**
 * A button. `kind` primary stands once in a view; danger is for what cannot be undone.
 * @param {{
 *   kind?: "plain" | "primary" | "danger" | "quiet", small?: boolean, icon?: string, busy?: boolean, class?: string,
 *   children?: any, [attribute: string]: any
 * }} props
 */
export function Button({ kind = "plain", small, icon, busy = false, class: extra = "", children, ...rest }) {
  const classes = [
    "button",
    kind !== "plain" && `button-${kind}`,
    small && "button-small",
    rest.type !== "submit" && "needs-script",
    extra,
  ].filter(Boolean).join(" ");
  return html`
    <button type="button" class=${classes} aria-busy=${busy ? "true" : undefined} ...${rest}
      disabled=${Boolean(rest.disabled) || busy}>${icon && html`<${Icon} name=${icon} />`}${children}</button>
  `;
}

/**
 * A button that is only an icon.
 * @param {{ icon: string, label: string, class?: string, [attribute: string]: any }} props
 */
export function IconButton({ icon, label, class: extra = "", ...rest }) {
  return html`
    <button type="button" class="icon-button needs-script ${extra}" aria-label=${label} title=${label}
      ...${rest}>
      <${Icon} name=${icon} />
    </button>
  `;
}

/**
 * A state in a word, with a shape of its own so that it reads without colour.
 * @param {{ kind: "ok" | "warn" | "bad" | "info" | "neutral", children?: any }} props
 */
export function Badge({ kind, children }) {
  const icon = { ok: "check", warn: "alert", bad: "close", info: "info", neutral: null }[kind];
  return html`<span class="badge badge-${kind}">${icon && html`<${Icon} name=${icon} />`}${children}</span>`;
}

/**
 * A sentence that stands out: news, a warning or an error about this part of the page.
 * @param {{ kind?: "info" | "ok" | "warn" | "bad", action?: any, children?: any, role?: string }} props
 */
export function Notice({ kind = "info", action, children, role }) {
  const icon = { info: "info", ok: "check", warn: "alert", bad: "alert" }[kind];
  return html`<div class="notice notice-${kind}" role=${role}>
    <${Icon} name=${icon} /><div class="notice-text">${children}</div>${action}
  </div>`;
}

/**
 * What stands where there is nothing yet: it says the next step.
 * @param {{ icon: string, title: string, children?: any, action?: any }} props
 */
export function EmptyState({ icon, title, children, action }) {
  return html`<div class="empty">
    <span class="empty-icon"><${Icon} name=${icon} /></span>
    <h2>${title}</h2>
    ${children && html`<div class="empty-text">${children}</div>`}
    ${action && html`<div class="empty-action">${action}</div>`}
  </div>`;
}

/**
 * Grey bars in place of content that is on its way; they appear only after 150 ms.
 * @param {{ rows?: number }} props
 */
export function Skeleton({ rows = 3 }) {
  return html`<div class="skeleton" aria-hidden="true">${
    Array.from({ length: rows }, (_, row) => html`<span key=${row}></span>`)
  }</div>`;
}

/**
 * A menu that opens below its button: native popover, arrow keys between its entries.
 * @param {{ label: string, icon?: string, items: Array<{ label: string, icon?: string, danger?: boolean, disabled?: boolean,
 *   hint?: string, run: () => void }> }} props
 */
export function Menu({ label, icon = "more", items }) {
  const id = useElementId();
  const move = (/** @type {any} */ event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const entries = [...event.currentTarget.querySelectorAll("button:not(:disabled)")];
    const step = event.key === "ArrowDown" ? 1 : -1;
    entries.at((entries.indexOf(document.activeElement) + step) % entries.length)?.focus();
  };
  const place = (/** @type {any} */ event) => {
    if (event.newState !== "open") return;
    const menu = event.currentTarget;
    const button = document.querySelector(`[popovertarget="${id}"]`);
    const { bottom, top, right } = /** @type {Element} */ (button).getBoundingClientRect();
    const height = menu.offsetHeight;
    menu.style.insetInlineStart = `${Math.max(8, right - menu.offsetWidth)}px`;
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
      aria-label=${label} title=${label}>
      <${Icon} name=${icon} />
    </button>
    <div id=${id} class="menu" popover="auto" role="menu" aria-label=${label} onKeyDown=${move}
      onToggle=${place}>
      ${items.map((item) =>
        html`
          <button type="button" role="menuitem" key=${item.label} class="menu-item ${item.danger
            ? "menu-item-danger"
            : ""}"
            disabled=${item.disabled} title=${item.hint} onClick=${(/** @type {any} */ event) =>
              choose(event, item.run)}>
            ${item.icon && html`<${Icon} name=${item.icon} />`}<span>${item.label}</span>
          </button>
        `
      )}
    </div>
  `;
}
