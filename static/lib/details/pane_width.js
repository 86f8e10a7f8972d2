// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n.js";
import { html } from "../ui.js";

/** Width of the details beside the list, in CSS pixels. */
const usual = 400;
const narrowest = 320;
const widest = 900;

/** What one press of an arrow key moves the edge by, in CSS pixels. */
const step = 24;

const storageName = "details-width";

/**
 * How wide the details are: as they were left last. The markup is sent with the usual width.
 * @returns {[number, (width: number) => void]}
 */
export function usePaneWidth() {
  const [width, setWidth] = useState(usual);
  useEffect(() => setWidth(clamped(Number(localStorage.getItem(storageName)) || usual)), []);
  const keep = (/** @type {number} */ wanted) => {
    const next = clamped(wanted);
    setWidth(next);
    localStorage.setItem(storageName, String(next));
  };
  return [width, keep];
}

/** @param {number} width */
function clamped(width) {
  return Math.round(Math.max(narrowest, Math.min(widest, width)));
}

/**
 * The edge between the list and the details: dragged, or moved by the arrow keys; a double click gives the usual width.
 * @param {{ width: number, onChange: (width: number) => void }} props
 */
export function PaneEdge({ width, onChange }) {
  const drag = (/** @type {any} */ event) => {
    const edge = event.currentTarget;
    const from = { x: event.clientX, width };
    const direction = getComputedStyle(edge).direction === "rtl" ? -1 : 1;
    const move = (/** @type {PointerEvent} */ moved) =>
      onChange(from.width + direction * (from.x - moved.clientX));
    const end = () => {
      edge.removeEventListener("pointermove", move);
      edge.removeEventListener("lostpointercapture", end);
    };
    event.preventDefault();
    edge.focus();
    edge.setPointerCapture(event.pointerId);
    edge.addEventListener("pointermove", move);
    edge.addEventListener("lostpointercapture", end);
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const next =
      { ArrowLeft: width + step, ArrowRight: width - step, Home: widest, End: narrowest }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(next);
  };
  return html`
    <div class="details-edge" role="separator" tabindex="0" aria-orientation="vertical" aria-label=${t(
      "details.edge",
    )}
      aria-valuenow=${width} aria-valuemin=${narrowest} aria-valuemax=${widest}
      onPointerDown=${drag} onKeyDown=${keys} onDblClick=${() => onChange(usual)}></div>
  `;
}
