// @ts-check
/// <reference lib="dom" />
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { html } from "./html.js";
import { t } from "./i18n.js";
import { Icon } from "./icons.js";
import { dismissToast, isError, maxToasts, runAction, toast, toasts } from "./toast.js";

/** @import { Toast } from "./toast.js" */

/** Milliseconds that a message stays, and one with something to do. */
const shortStay = 6_000;
const longStay = 10_000;

let mounted = false;

/** Puts the two live regions of the shell to work, once: polite for news, assertive for errors. */
export function mountRegions() {
  if (mounted) return;
  mounted = true;
  for (const [id, errors] of /** @type {const} */ ([["toasts", false], ["alerts", true]])) {
    const region = document.getElementById(id);
    if (region !== null) render(html`<${Region} errors=${errors} />`, region);
  }
}

/** @param {{ errors: boolean }} props */
function Region({ errors }) {
  const all = toasts.value.filter(isError);
  const news = toasts.value.filter((item) => !isError(item));
  // The oldest error comes back once the last of the news has gone.
  const shown = errors ? all.slice(news.length - maxToasts) : news;
  return html`${shown.map((item) => html`<${ToastCard} key=${item.id} item=${item} />`)}`;
}

/** @param {{ item: Toast }} props */
function ToastCard({ item }) {
  const { id, kind, detail, action, sticky } = item;
  const held = useRef(false);
  useEffect(() => {
    if (sticky) return;
    let left = action ? longStay : shortStay;
    const timer = setInterval(() => {
      if (!held.current && (left -= 250) <= 0) dismissToast(id);
    }, 250);
    return () => clearInterval(timer);
  }, []);
  const hold = () => held.current = true;
  const release = (/** @type {any} */ event) => {
    const card = event.currentTarget;
    // While the focus moves, it is nowhere yet.
    const focused = event.type === "focusout" ? event.relatedTarget : document.activeElement;
    held.current = card.matches(":hover") || card.contains(focused);
  };
  return html`
    <div class="toast toast-${kind}" onPointerEnter=${hold} onPointerLeave=${release}
      onFocusIn=${hold}
      onFocusOut=${release}>
      <${ToastText} item=${item} />
      ${action &&
        html`<button type="button" class="button button-small" onClick=${() =>
          runAction(item)}>${action.label}</button>`}
      <button type="button" class="icon-button" aria-label=${t("common.dismiss")} onClick=${() =>
        dismissToast(id)}><${Icon} name="close" /></button>
      ${isError(item) && detail && html`<${CopyDetails} item=${item} />`}
    </div>
  `;
}

const icons = { info: "info", success: "check", error: "alert" };

/**
 * What a message says.
 * @param {{ item: Toast }} props
 */
export function ToastText({ item: { kind, message, detail } }) {
  return html`
    <${Icon} name=${icons[kind]} />
    <div class="toast-text">
      <p>${message}</p>
      ${detail && html`<p class="toast-detail mono">${detail}</p>`}
    </div>
  `;
}

/**
 * A button that copies what support needs to find an error.
 * @param {{ item: Toast }} props
 */
export function CopyDetails({ item: { message, detail, at } }) {
  const copy = async () => {
    const lines = [message, detail, new Date(at).toISOString(), location.pathname];
    try {
      await navigator.clipboard.writeText(lines.filter(Boolean).join("\n"));
      toast(t("common.copied"), { kind: "info" });
    } catch {
      toast(t("common.copy_failed"), { kind: "info" });
    }
  };
  return html`<button type="button" class="button button-small toast-copy" onClick=${copy}>${
    t("common.copy_details")
  }</button>`;
}
