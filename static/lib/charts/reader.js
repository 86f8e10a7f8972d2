// @ts-check
/// <reference lib="dom" />
import { html } from "../html.js";
import { percent } from "./percent.js";
import { stepAfterKey, stepAttributes } from "./steps.js";

/**
 * What takes the pointer and the keys of a chart: a slider from its first step to its last.
 * @param {{
 *   steps: ReadonlyArray<{ title: string }>, cursor: number, anchor: number,
 *   setCursor: (step: number) => void, setAnchor: (step: number) => void,
 *   onRange?: (first: number, last: number) => void, label: string, hint?: string
 * }} props `steps` and what is said of each; `cursor` and `anchor` are -1 for none
 */
export function Reader({ steps, cursor, anchor, setCursor, setAnchor, onRange, label, hint }) {
  const at = cursor < 0 ? steps.length - 1 : Math.min(cursor, steps.length - 1);
  const stepAt = (/** @type {any} */ event) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const step = Math.floor((event.clientX - left) / width * steps.length);
    return Math.max(0, Math.min(steps.length - 1, step));
  };
  const leave = () => {
    setCursor(-1);
    setAnchor(-1);
  };
  const down = (/** @type {any} */ event) => {
    if (onRange === undefined || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setAnchor(stepAt(event));
  };
  const up = (/** @type {any} */ event) => {
    if (onRange === undefined || anchor < 0) return;
    const step = stepAt(event);
    leave();
    onRange(Math.min(step, anchor), Math.max(step, anchor));
  };
  const press = (/** @type {any} */ event) => {
    if (event.key === "Escape" && cursor >= 0) leave();
    else if (event.key === "Enter" && onRange !== undefined && cursor >= 0) {
      const start = anchor < 0 ? cursor : anchor;
      onRange(Math.min(start, cursor), Math.max(start, cursor));
    } else {
      const target = stepAfterKey(event.key, cursor, steps.length);
      if (target === null) return;
      setAnchor(event.shiftKey && onRange !== undefined ? anchor < 0 ? at : anchor : -1);
      setCursor(target);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return html`
    <div class="chart-reader needs-script ${onRange === undefined ? "" : "chart-brush"}"
      ...${stepAttributes({ label, steps: steps.map(({ title }) => title), at })}
      aria-readonly=${onRange === undefined ? "true" : undefined} title=${cursor < 0 ? hint : undefined}
      onPointerMove=${(/** @type {any} */ event) => setCursor(stepAt(event))} onPointerDown=${down}
      onPointerUp=${up} onPointerCancel=${leave} onPointerLeave=${leave} onKeyDown=${press}
      onBlur=${leave}></div>
  `;
}

/**
 * Where the tip stands: at its step, but not beyond either end.
 * @param {number} share of the chart's width
 */
export function tipPlace(share) {
  return share < 0.5 ? { insetInlineStart: percent(share) } : { insetInlineEnd: percent(1 - share) };
}
