// @ts-check
import { html } from "../html.js";
import { Plot } from "./plot.js";
import { ticksOf } from "./scale.js";

/** Size of the drawing, which is stretched over the chart: a path knows no percentages. */
const width = 1000;
const height = 100;

/**
 * Something that goes up and down over time, as an area below a line. Readers who do not see it hear each step; give them
 * the figures as a table too (`ChartTable`).
 * @param {{
 *   label: string, points: ReadonlyArray<{ value: number | null, title: string }>, format: (value: number) => string,
 *   from: string, to: string, bytes?: boolean, limits?: ReadonlyArray<{ value: number, label: string }>, tall?: boolean
 * }} props `points` are evenly apart, `null` where nothing is known; `title` is what is said of one; `from` and `to` stand
 *   at the ends of the foot; `bytes` for sizes; `limits` are lines across such as a quota
 */
export function AreaChart({ label, points, format, from, to, bytes = false, limits = [], tall = false }) {
  const max = Math.max(...points.map(({ value }) => value ?? 0), ...limits.map(({ value }) => value), 1);
  const ticks = ticksOf(max, { bytes });
  const top = ticks.at(-1) ?? 1;
  const runs = runsOf(points, top);
  return html`
    <${Plot} label=${label} titles=${points.map(({ title }) => title)} ticks=${ticks} format=${format}
      from=${from} to=${to} tall=${tall}>
      <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" width="100%" height="100%">
        ${runs.map((run, index) =>
          html`
            <path key=${`area ${index}`} class="plot-fill"
              d="M${run[0].x} ${height}L${line(run)}L${run[run.length - 1].x} ${height}Z" />
            <path key=${`edge ${index}`} class="plot-edge" d="M${line(run)}" />
          `
        )}
        ${limits.map((limit) =>
          html`
            <path key=${limit.label} class="plot-limit"
              d="M0 ${height * (1 - limit.value / top)}H${width}" />
          `
        )}
      </svg>
      ${limits.map((limit) =>
        html`
          <text key=${limit.label} class="plot-label plot-limit-label" x="100%" dx="-4"
            y="${100 * (1 - limit.value / top)}%" dy="-4">${limit.label}</text>
        `
      )}
      <//>
  `;
}

/** @param {ReadonlyArray<{ x: number, y: number }>} run */
function line(run) {
  return run.map(({ x, y }) => `${x} ${y}`).join("L");
}

/**
 * The points that follow one another without a gap, as places in the drawing; one alone is drawn as a short line.
 * @param {ReadonlyArray<{ value: number | null }>} points
 * @param {number} top
 */
function runsOf(points, top) {
  /** @type {Array<Array<{ x: number, y: number }>>} */
  const runs = [];
  let open = false;
  const last = Math.max(1, points.length - 1);
  for (const [index, { value }] of points.entries()) {
    if (value === null) {
      open = false;
      continue;
    }
    const point = {
      x: Math.round(index / last * width * 10) / 10,
      y: Math.round(height * (1 - value / top) * 100) / 100,
    };
    if (open) runs[runs.length - 1].push(point);
    else runs.push([point]);
    open = true;
  }
  const half = width / last / 4;
  return runs.map((run) =>
    run.length > 1
      ? run
      : [{ ...run[0], x: Math.max(0, run[0].x - half) }, { ...run[0], x: Math.min(width, run[0].x + half) }]
  );
}
