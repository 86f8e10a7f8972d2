// @ts-check
/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { formatDateTime, formatRelative, formatUtc, splitBytes } from "./format.js";
import { html } from "./html.js";
import { t } from "./i18n.js";
import { Icon } from "./icons.js";

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
  return html`<span class="number bytes" title=${
    t("common.bytes", { n: value })
  }>${parts.value}<span class="unit"> ${parts.unit}</span></span>`;
}

// Buttons that submit nothing do nothing without script: the class takes them away then.

/**
 * A button. `kind` primary stands once in a view; danger is for what cannot be undone. While it is `busy` it keeps the focus and
 * does nothing, nor does Enter in its form, which is a click on it.
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
    <button type="button" class=${classes} ...${rest} ...${busy && whileBusy}>${icon &&
      html`<${Icon} name=${icon} />`}${children}</button>
  `;
}

const whileBusy = {
  "aria-busy": "true",
  "aria-disabled": "true",
  disabled: false,
  onClick: (/** @type {Event} */ event) => event.preventDefault(),
};

/**
 * A button that is only an icon. What it says when it is pointed at is its name: see `hover_titles.js`.
 * @param {{ icon: string, label: string, class?: string, [attribute: string]: any }} props
 */
export function IconButton({ icon, label, class: extra = "", ...rest }) {
  return html`
    <button type="button" class="icon-button needs-script ${extra}" aria-label=${label} ...${rest}>
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
