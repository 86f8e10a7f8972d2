// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { KeyLabel } from "../browse/key_label.js";
import { t } from "../i18n.js";
import { html, Icon } from "../ui.js";

/** @import { Signal } from "@preact/signals" */
/** @import { Browser } from "../browse/browser.js" */

/** Milliseconds within which a browser tells again of a drag that stays over the page. */
const dragInterval = 600;

/**
 * Shows where what is dragged would go, for as long as it is over the page.
 * @param {{ browser: Browser, target: Signal<string | null> }} props `target` is the prefix
 */
export function DropHint({ browser, target }) {
  useEffect(() => watchLeaving(() => target.value = null), []);
  useEffect(() => markRow(target.value, browser.place.value.prefix), [target.value]);
  if (target.value === null) return null;
  const where = target.value === "" ? browser.bucket : target.value;
  return html`
    <div class="drop-zone">
      <p><${Icon} name="upload" /> ${t("upload.drop_into")} <strong><${KeyLabel} name=${where} /></strong></p>
    </div>
  `;
}

/**
 * Runs `leave` when a drag has left the page. In Safari it leaves each element as if that were the page, so that within the
 * page only one that nothing more is heard of has left.
 * @param {() => void} leave
 */
function watchLeaving(leave) {
  /** @type {ReturnType<typeof setTimeout>} */
  let waiting;
  const wait = () => {
    clearTimeout(waiting);
    waiting = setTimeout(leave, dragInterval);
  };
  const onDragOver = () => clearTimeout(waiting);
  const onDragLeave = (/** @type {DragEvent} */ { relatedTarget, clientX, clientY }) => {
    if (relatedTarget !== null) return;
    const isInside = clientX > 0 && clientY > 0 && clientX < innerWidth && clientY < innerHeight;
    if (isInside) wait();
    else leave();
  };
  addEventListener("dragover", onDragOver);
  addEventListener("dragleave", onDragLeave);
  // The drag that this was loaded for may be over.
  wait();
  return () => {
    clearTimeout(waiting);
    removeEventListener("dragover", onDragOver);
    removeEventListener("dragleave", onDragLeave);
  };
}

/**
 * @param {string | null} target
 * @param {string} open
 */
function markRow(target, open) {
  for (const row of document.querySelectorAll("[data-drop]")) row.removeAttribute("data-drop");
  if (target === null || target === open) return;
  document.querySelector(`[data-folder="${CSS.escape(target)}"]`)?.setAttribute("data-drop", "");
}
