// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { html } from "../html.js";
import { useElementId } from "../ids.js";
import { percent } from "./percent.js";
import { Reader, tipPlace } from "./reader.js";

// Everything is placed by percentages in attributes: the page may have no inline style, and text keeps its shape.

/**
 * A mark of a bar; `from` and `to` are parts of the chart's height, from 0 at its foot to 1.
 * @typedef {{ kind: string, from: number, to: number }} Mark
 */

/**
 * One step of time: its marks, and what is said of it when it is pointed at.
 * @typedef {{ title: string, marks: Mark[] }} Bar
 */

/**
 * A line across the chart and what it stands for.
 * @typedef {{ at: number, label: string }} GridLine
 */

/** Part of a step's width that its bar takes. */
const barWidth = 0.78;

/** Kinds of marks that carry a pattern, so that they are told apart without colour. */
const patterned = ["refused", "failed"];

/**
 * A chart of bars side by side, which a pointer or the arrow keys read step by step. Readers who do not see it get
 * `summary`, and should have the figures as a table too.
 * @param {{
 *   summary: string, label: string, bars: Bar[], lines: GridLine[], from: string, middle?: string, to: string,
 *   onRange?: (first: number, last: number) => void, rangeHint?: string
 * }} props `from`, `middle` and `to` stand along its foot; `onRange` is told which steps were dragged over, or chosen
 *   with Shift, the arrow keys and Enter
 */
export function StepChart({ summary, label, bars, lines, from, middle, to, onRange, rangeHint }) {
  const id = useElementId();
  const [cursor, setCursor] = useState(-1);
  const [anchor, setAnchor] = useState(-1);
  const first = Math.min(cursor, anchor < 0 ? cursor : anchor);
  const last = Math.max(cursor, anchor);
  const controls = { cursor, anchor, setCursor, setAnchor, onRange };
  return html`
    <div class="chart">
      <svg class="chart-plot" role="img" aria-label=${summary}>
        <${Patterns} id=${id} />
        ${cursor >= 0 && html`
          <rect class="chart-cursor" x=${percent(first / bars.length)} y="0"
            width=${percent((last - first + 1) / bars.length)} height="100%" />
        `}
        ${lines.map(({ at, label }) =>
          html`
            <line key=${`line ${label}`} class="plot-line" x1="0" x2="100%" y1=${percent(
              1 - at,
            )} y2=${percent(
              1 - at,
            )} />
          `
        )}
        ${bars.map((bar, index) =>
          html`<${StepBar} key=${index} id=${id} bar=${bar} left=${index / bars.length} width=${
            1 / bars.length
          } />`
        )}
        ${lines.map(({ at, label }) =>
          html`<text key=${label} class="plot-label" x="2" y=${percent(1 - at)} dy="-4">${label}</text>`
        )}
      </svg>
      <${Reader} ...${controls} steps=${bars} label=${label} hint=${rangeHint} />
      ${cursor >= 0 && bars[cursor] && html`
        <p class="chart-tip" aria-hidden="true" style=${tipPlace((cursor + 0.5) / bars.length)}>
          ${bars[cursor].title}</p>
      `}
      <div class="plot-foot" aria-hidden="true"><span>${from}</span>${middle &&
        html`<span>${middle}</span>`}<span>${to}</span></div>
    </div>
  `;
}

/** @param {{ id: string }} props */
function Patterns({ id }) {
  return html`
    <defs>
      <pattern id="${id}-refused" width="5" height="5" patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)">
        <line class="chart-hatch" x1="0" y1="0" x2="0" y2="5" />
      </pattern>
      <pattern id="${id}-failed" width="6" height="6" patternUnits="userSpaceOnUse">
        <path class="chart-hatch" d="M0 0 6 6M6 0 0 6" />
      </pattern>
    </defs>
  `;
}

/** @param {{ id: string, bar: Bar, left: number, width: number }} props */
function StepBar({ id, bar: { title, marks }, left, width }) {
  return html`
    <g class="chart-step">
      <title>${title}</title>
      ${marks.filter(({ from, to }) => to > from).map(({ kind, from, to }) => {
        const place = {
          x: percent(left + width * (1 - barWidth) / 2),
          width: percent(width * barWidth),
          y: percent(1 - to),
          height: percent(to - from),
        };
        return html`
          <rect key=${kind} class="chart-${kind}" ...${place} />
          ${patterned.includes(kind) &&
            html`
              <rect key="${kind}-pattern" fill="url(#${id}-${kind})" ...${place} />
            `}
        `;
      })}
    </g>
  `;
}

/**
 * The smallest of 1, 2, 5, 10, 20, 50 … that is not below `value`.
 * @param {number} value
 */
export function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}
