// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { html } from "../html.js";
import { percent } from "./percent.js";
import { tipPlace } from "./reader.js";
import { stepAfterKey, stepAttributes } from "./steps.js";

/**
 * The ground of a chart over steps of time or the like: lines across with their values, what is drawn on it, and one step
 * after another to be pointed at, or gone to with the arrow keys, which tells what it is in words.
 * @param {{
 *   label: string, titles: readonly string[], ticks: readonly number[], format: (value: number) => string,
 *   from: string, to: string, centred?: boolean, tall?: boolean, onChoose?: (index: number) => void, children?: any
 * }} props `titles` says of each step what it is; `centred` steps have a width, others are points from edge to edge
 */
export function Plot(
  { label, titles, ticks, format, from, to, centred = false, tall = false, onChoose, children },
) {
  const [shown, setShown] = useState(-1);
  const count = titles.length;
  const top = ticks.at(-1) || 1;
  const shareOf = (/** @type {number} */ index) =>
    centred ? (index + 0.5) / count : count === 1 ? 0.5 : index / (count - 1);
  const point = (/** @type {any} */ event) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
    setShown(
      centred ? Math.min(count - 1, Math.floor(share * count)) : Math.round(share * (count - 1)),
    );
  };
  const press = (/** @type {any} */ event) => {
    if (event.key === "Enter" && onChoose && shown >= 0) return onChoose(shown);
    const next = event.key === "Escape" && shown >= 0 ? -1 : stepAfterKey(event.key, shown, count);
    if (next === null) return;
    event.preventDefault();
    setShown(next);
  };
  const current = shown < 0 ? count - 1 : Math.min(shown, count - 1);
  return html`
    <div class="plot">
      <div class="plot-area ${tall ? "plot-tall" : ""} ${onChoose ? "plot-choose" : ""}"
        ...${stepAttributes({ label, steps: titles, at: current })} aria-readonly="true"
        onPointerMove=${point} onPointerDown=${point} onPointerLeave=${() => setShown(-1)}
        onClick=${() => onChoose && shown >= 0 && onChoose(shown)} onKeyDown=${press}
        onFocus=${(/** @type {any} */ event) =>
          event.currentTarget.matches(":focus-visible") && setShown(count - 1)}
        onBlur=${() => setShown(-1)}>
        <svg class="plot-svg" aria-hidden="true" focusable="false">
          ${ticks.map((tick) =>
            html`
              <line key=${`line ${tick}`} class="plot-line" x1="0" x2="100%" y1=${percent(1 - tick / top)}
                y2=${percent(1 - tick / top)} />
            `
          )}
          ${children}
          ${shown >= 0 && shown < count && html`
            <line class="plot-cursor" x1=${percent(shareOf(shown))}
              x2=${percent(shareOf(shown))} y1="0" y2="100%" />
          `}
          ${ticks.slice(1).map((tick) =>
            html`
              <text key=${`text ${tick}`} class="plot-label" x="2" y=${percent(1 - tick / top)}
                dy="12">${format(tick)}</text>
            `
          )}
        </svg>
        ${shown >= 0 && shown < count &&
          html`
            <p class="plot-tip" aria-hidden="true" style=${tipPlace(shareOf(shown))}>${titles[shown]}</p>
          `}
      </div>
      <div class="plot-foot" aria-hidden="true"><span>${from}</span><span>${to}</span></div>
    </div>
  `;
}
