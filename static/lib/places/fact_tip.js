// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../html.js";
import { useElementId } from "../ids.js";

/**
 * Something short that has more to say: in a box that opens when it is pointed at, focused or tapped, and closes with Escape.
 *
 * @param {{ facts: readonly string[], children?: any }} props `facts`: a line each; `children`: what is shown, with words
 */
export function FactTip({ facts, children }) {
  const id = useElementId();
  const host = useRef(/** @type {HTMLElement | null} */ (null));
  const tip = useRef(/** @type {HTMLElement | null} */ (null));
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const box = tip.current;
    if (!open || box === null) return;
    box.showPopover();
    place(box, /** @type {HTMLElement} */ (host.current));
    const close = () => setOpen(false);
    addEventListener("scroll", close, { capture: true, passive: true });
    return () => {
      removeEventListener("scroll", close, { capture: true });
      if (box.isConnected) box.hidePopover();
    };
  }, [open]);
  const onKeyDown = (/** @type {any} */ event) => {
    if (event.key === "Escape") setOpen(false);
  };
  return html`
    <span class="fact-tip" ref=${host} onMouseEnter=${() => setOpen(true)} onMouseLeave=${() =>
      setOpen(false)}>
      <button type="button" class="fact-tip-button" aria-describedby=${id} onFocus=${() => setOpen(true)}
        onBlur=${() => setOpen(false)} onKeyDown=${onKeyDown} onClick=${() =>
          setOpen(true)}>${children}</button>
      <span id=${id} class="fact-tip-box" popover="manual" role="tooltip" ref=${tip}>${facts.map((fact) =>
        html`<span key=${fact}>${fact}</span>`
      )}</span>
    </span>
  `;
}

/**
 * Below what it is about, or above where there is no room.
 * @param {HTMLElement} box
 * @param {HTMLElement} host
 */
function place(box, host) {
  const { top, bottom, left } = host.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  box.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  box.style.top = `${bottom + height > innerHeight - 8 ? top - height : bottom}px`;
}
