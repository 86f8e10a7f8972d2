// @ts-check
import { html } from "../html.js";

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

/**
 * A chart of bars side by side. Readers who do not see it get `summary`, and should have the figures as a table too.
 * @param {{ summary: string, bars: Bar[], lines: GridLine[], from: string, to: string }} props `from` and `to` stand at
 *   the ends of its foot
 */
export function BarChart({ summary, bars, lines, from, to }) {
  return html`
    <div class="chart">
      <svg class="chart-plot" role="img" aria-label=${summary}>
        ${lines.map(({ at, label }) =>
          html`
            <line key=${`line ${label}`} class="chart-line" x1="0" x2="100%" y1=${percent(
              1 - at,
            )} y2=${percent(
              1 - at,
            )} />
          `
        )}
        ${bars.map((bar, index) =>
          html`<${StepBar} key=${index} bar=${bar} left=${index / bars.length} width=${1 / bars.length} />`
        )}
        ${lines.map(({ at, label }) =>
          html`<text key=${label} class="chart-label" x="2" y=${percent(1 - at)} dy="-3">${label}</text>`
        )}
      </svg>
      <div class="chart-foot" aria-hidden="true"><span>${from}</span><span>${to}</span></div>
    </div>
  `;
}

/** @param {{ bar: Bar, left: number, width: number }} props */
function StepBar({ bar: { title, marks }, left, width }) {
  return html`
    <g class="chart-step">
      <title>${title}</title>
      <rect class="chart-hit" x=${percent(left)} y="0" width=${percent(width)} height="100%" />
      ${marks.filter(({ from, to }) => to > from).map(({ kind, from, to }) =>
        html`
          <rect key=${kind} class="chart-${kind}"
            x=${percent(left + width * (1 - barWidth) / 2)} width=${percent(width * barWidth)}
            y=${percent(1 - to)} height=${percent(to - from)} />
        `
      )}
    </g>
  `;
}

/** @param {number} share */
function percent(share) {
  return `${Math.round(share * 1e4) / 100}%`;
}

/**
 * The smallest of 1, 2, 5, 10, 20, 50 … that is not below `value`.
 * @param {number} value
 */
export function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}
