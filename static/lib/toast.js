// @ts-check
/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ApiError } from "./api.js";
import { html } from "./html.js";
import { Icon } from "./icons.js";

/**
 * @typedef {object} Toast
 * @property {number} id
 * @property {"info" | "success" | "error"} kind
 * @property {string} message
 * @property {string} [detail] a second line, such as the request id
 * @property {{ label: string, run: () => unknown }} [action] such as Undo
 * @property {boolean} [sticky] stays until it is dismissed, as errors do
 */

const maxToasts = 3;

/** @type {import("@preact/signals").Signal<Toast[]>} */
const toasts = signal([]);
let lastId = 0;

/**
 * Says that something happened. Errors stay until they are dismissed; everything else goes by itself, later when there
 * is an action to take.
 * @param {string} message
 * @param {Partial<Pick<Toast, "kind" | "detail" | "action" | "sticky">>} [options]
 */
export function toast(message, { kind = "success", detail, action, sticky = kind === "error" } = {}) {
  const id = ++lastId;
  toasts.value = [...toasts.value, { id, kind, message, detail, action, sticky }].slice(-maxToasts);
  return id;
}

/**
 * Says that something failed, with what support needs to find it.
 * @param {string} what such as `The bucket was not created`
 * @param {unknown} error
 */
export function toastError(what, error) {
  const facts = error instanceof ApiError ? error : null;
  const reason = error instanceof Error ? error.message : String(error);
  toast(`${what}: ${reason}`, {
    kind: "error",
    detail: facts?.requestId ? `Request ${facts.requestId}` : undefined,
  });
}

/** @param {number} id */
export function dismissToast(id) {
  toasts.value = toasts.value.filter((shown) => shown.id !== id);
}

/** Puts the two live regions of the shell to work: polite for news, assertive for errors. */
export function mountToasts() {
  for (const [id, wanted] of /** @type {const} */ ([["toasts", false], ["alerts", true]])) {
    const region = document.getElementById(id);
    if (region !== null) render(html`<${Region} errors=${wanted} />`, region);
  }
}

/** @param {{ errors: boolean }} props */
function Region({ errors }) {
  const shown = toasts.value.filter(({ kind }) => (kind === "error") === errors);
  return html`${shown.map((item) => html`<${ToastCard} key=${item.id} item=${item} />`)}`;
}

/** @param {{ item: Toast }} props */
function ToastCard({ item }) {
  const { id, kind, message, detail, action, sticky } = item;
  const held = useRef(false);
  useEffect(() => {
    if (sticky) return;
    let left = action ? 10_000 : 6_000;
    const timer = setInterval(() => {
      if (!held.current && (left -= 250) <= 0) dismissToast(id);
    }, 250);
    return () => clearInterval(timer);
  }, []);
  const hold = () => held.current = true;
  const release = () => held.current = false;
  const icon = { info: "info", success: "check", error: "alert" }[kind];
  return html`
    <div class="toast toast-${kind}" onPointerEnter=${hold} onPointerLeave=${release}
      onFocusIn=${hold}
      onFocusOut=${release}>
      <${Icon} name=${icon} />
      <div class="toast-text">
        <p>${message}</p>
        ${detail && html`<p class="toast-detail mono">${detail}</p>`}
      </div>
      ${action && html`<button class="button button-small" onClick=${() => {
        dismissToast(id);
        action.run();
      }}>${action.label}</button>`}
      <button class="icon-button" aria-label="Dismiss" onClick=${() =>
        dismissToast(id)}><${Icon} name="close" /></button>
    </div>
  `;
}
