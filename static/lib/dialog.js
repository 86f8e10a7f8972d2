// @ts-check
/// <reference lib="dom" />
import { render } from "preact";
import { html } from "./html.js";
import { t } from "./i18n.js";
import { Icon } from "./icons.js";
import { IdScope } from "./ids.js";

let lastId = 0;

/**
 * What a dialog's content is given.
 * @template T
 * @typedef {object} DialogControls
 * @property {(result?: T) => void} close ends the dialog with a result
 * @property {(blocked: boolean) => void} block keeps Esc and the close button from ending it, while something is under way
 * @property {string} titleId
 */

/**
 * Opens a modal dialog and resolves with what its content was closed with, `undefined` when it was dismissed. The focus
 * goes back to where it was; if that is gone, to the page's main part. `covering` hides what is behind it; `described` has
 * the element with the id `<titleId>-text` read out with the title.
 * @template T
 * @param {(controls: DialogControls<T>) => import("preact").ComponentChild} content
 * @param {{ size?: "small" | "medium" | "side" | "palette", label?: string, covering?: boolean, described?: boolean }}
 *   [options]
 * @returns {Promise<T | undefined>}
 */
export function openDialog(content, { size = "medium", label, covering = false, described = false } = {}) {
  const opener = document.activeElement;
  const dialog = document.createElement("dialog");
  const titleId = `dialog-${++lastId}`;
  dialog.className = `dialog dialog-${size}${covering ? " dialog-covering" : ""}`;
  if (label) dialog.setAttribute("aria-label", label);
  else dialog.setAttribute("aria-labelledby", titleId);
  if (described) dialog.setAttribute("aria-describedby", `${titleId}-text`);
  document.body.append(dialog);
  return new Promise((resolve) => {
    let blocked = false;
    /** @type {T | undefined} */
    let result;
    /** @param {T} [value] */
    const close = (value) => {
      result = value;
      dialog.close();
    };
    /** @param {boolean} value */
    const block = (value) => blocked = value;
    dialog.addEventListener("cancel", (event) => {
      if (blocked) event.preventDefault();
    });
    // At a second Esc in a row the browser closes a dialog without asking.
    const stay = (/** @type {KeyboardEvent} */ event) => {
      const top = [...document.querySelectorAll("dialog[open]")].at(-1);
      if (blocked && event.key === "Escape" && top === dialog) event.preventDefault();
    };
    document.addEventListener("keydown", stay);
    dialog.addEventListener("close", () => {
      document.removeEventListener("keydown", stay);
      render(null, dialog);
      dialog.remove();
      restoreFocus(opener);
      resolve(result);
    });
    render(html`<${IdScope.Provider} value="${titleId}-">${content({ close, block, titleId })}<//>`, dialog);
    dialog.showModal();
    const wanted = /** @type {HTMLElement | null} */ (dialog.querySelector("[data-autofocus]"));
    wanted?.focus();
  });
}

/** @param {Element | null} opener */
function restoreFocus(opener) {
  // Browsers have given it back by now where they can, and this is told later: who has taken it meanwhile keeps it.
  if (document.activeElement !== document.body) return;
  const menu = opener?.closest("[popover]:not(:popover-open)");
  // What was chosen in a menu is out of sight again.
  const target = menu ? document.querySelector(`[popovertarget="${menu.id}"]`) : opener;
  if (target instanceof HTMLElement && target.isConnected && target !== document.body) target.focus();
  else document.querySelector("main")?.focus();
}

/**
 * The frame of a dialog: title, body, and the row of buttons below.
 * @param {{
 *   title: string, titleId: string, onClose?: () => void, footer?: import("preact").ComponentChildren,
 *   children?: import("preact").ComponentChildren
 * }} props
 */
export function DialogFrame({ title, titleId, onClose, footer, children }) {
  return html`
    <div class="dialog-frame">
      <header class="dialog-head">
        <h2 id=${titleId}>${title}</h2>
        ${onClose && html`
          <button type="button" class="icon-button" aria-label=${t("common.close")} onClick=${() =>
            onClose()}>
            <${Icon} name="close" />
          </button>
        `}
      </header>
      <div class="dialog-body">${children}</div>
      ${footer && html`<footer class="dialog-foot">${footer}</footer>`}
    </div>
  `;
}

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {import("preact").ComponentChildren} body says what and how much
 * @property {string} action the button's verb, such as `Delete 12 objects`
 * @property {boolean} [danger]
 * @property {string} [typed] what must be typed before the button works, such as the bucket's name
 * @property {() => Promise<unknown>} [run] done while the dialog stays open; its error is shown in it
 * @property {(failure: unknown) => string} [tell] why it failed; empty for the failure's own words
 */

/**
 * Asks before something is done. Resolves with whether it was (with `run`: whether it succeeded).
 * @param {Question} question
 * @returns {Promise<boolean>}
 */
export async function confirm(question) {
  const { ConfirmForm } = await import("./confirm_form.js");
  const done = await openDialog(
    /** @param {DialogControls<boolean>} controls */
    (controls) => html`<${ConfirmForm} ...${controls} question=${question} />`,
    { size: "small", described: true },
  );
  return done === true;
}
