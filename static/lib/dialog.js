// @ts-check
/// <reference lib="dom" />
import { render } from "preact";
import { useState } from "preact/hooks";
import { html } from "./html.js";
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
 * goes back to where it was; if that is gone, to the page's main part.
 * @template T
 * @param {(controls: DialogControls<T>) => import("preact").ComponentChild} content
 * @param {{ size?: "small" | "medium", label?: string }} [options]
 * @returns {Promise<T | undefined>}
 */
export function openDialog(content, { size = "medium", label } = {}) {
  const opener = document.activeElement;
  const dialog = document.createElement("dialog");
  const titleId = `dialog-${++lastId}`;
  dialog.className = `dialog dialog-${size}`;
  if (label) dialog.setAttribute("aria-label", label);
  else dialog.setAttribute("aria-labelledby", titleId);
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
    dialog.addEventListener("close", () => {
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
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
  else document.querySelector("main")?.focus();
}

/** Moves the focus to the page's main part if what had it is gone, such as the row of what was just deleted. */
export function rescueFocus() {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.querySelector("main")?.focus();
  });
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
          <button type="button" class="icon-button" aria-label="Close" onClick=${() => onClose()}>
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
 */

/**
 * Asks before something is done. Resolves with whether it was (with `run`: whether it succeeded).
 * @param {Question} question
 * @returns {Promise<boolean>}
 */
export async function confirm(question) {
  const done = await openDialog(
    /** @param {DialogControls<boolean>} controls */
    (controls) => html`<${ConfirmForm} ...${controls} question=${question} />`,
    { size: "small" },
  );
  return done === true;
}

/** @param {DialogControls<boolean> & { question: Question }} props */
function ConfirmForm({ close, block, titleId, question }) {
  const { title, body, action, danger = false, typed, run } = question;
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const ready = typed === undefined || text === typed;
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (!ready || busy) return;
    if (run === undefined) return close(true);
    setBusy(true);
    setError("");
    block(true);
    try {
      await run();
      close(true);
    } catch (failure) {
      block(false);
      setBusy(false);
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  const buttons = html`
    <button type="button" class="button" disabled=${busy}
      data-autofocus=${typed === undefined ? "" : undefined}
      onClick=${() => close(false)}>Cancel</button>
    <button type="submit" class="button ${danger ? "button-danger" : "button-primary"}"
      disabled=${!ready || busy}
      aria-busy=${busy}>${action}</button>
  `;
  return html`
    <form onSubmit=${submit}>
      <${DialogFrame} title=${title} titleId=${titleId} footer=${buttons}>
        <div class="stack">
          <div>${body}</div>
          ${typed !== undefined && html`
            <div class="field">
              <label for="${titleId}-typed">Type <code class="select-all">${typed}</code> to go on</label>
              <input id="${titleId}-typed" class="input mono" autocomplete="off" autocapitalize="off"
                spellcheck=${false}
                data-autofocus="" value=${text} onInput=${(/** @type {any} */ event) =>
                  setText(event.target.value)} />
            </div>
          `}
          ${error &&
            html`<p class="notice notice-bad" role="alert"><${Icon} name="alert" /> <span>${error}</span></p>`}
        </div>
        <//>
        </form>
  `;
}
