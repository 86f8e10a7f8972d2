// @ts-check
import { html } from "../html.js";

// Parts of a chart differ by their pattern as well as by their colour, so that it reads without colour.

/** How many patterns there are: the first is plain, then stripes, a grid, dots. */
export const patternCount = 4;

const strokes = [
  "",
  "M-2 2l4-4M0 8l8-8M6 10l4-4",
  "M0 4h8M4 0v8",
  "M2 2h.01M6 6h.01",
];

/**
 * The patterns of a chart, to stand in its SVG.
 * @param {{ id: string }} props the same `id` that {@link patternFill} is given
 */
export function PatternDefinitions({ id }) {
  return html`<defs>${
    strokes.map((path, index) =>
      html`
        <pattern key=${index} id="${id}-${index}" width="8" height="8" patternUnits="userSpaceOnUse">
          <rect width="8" height="8" class="pattern-ground pattern-${index}" />
          <path d=${path} class="pattern-stroke" fill="none" stroke-width=${index === 3 ? 3 : 1.5}
            stroke-linecap=${index === 3 ? "round" : "butt"} />
        </pattern>
      `
    )
  }</defs>`;
}

/**
 * The `fill` of a part.
 * @param {string} id of the patterns
 * @param {number} index
 */
export function patternFill(id, index) {
  return `url(#${id}-${index % patternCount})`;
}

/**
 * What the parts of a chart stand for.
 * @param {{ id: string, labels: readonly string[] }} props `id` of the patterns of the chart
 */
export function Legend({ id, labels }) {
  return html`<ul class="plot-legend">${
    labels.map((label, index) =>
      html`
        <li key=${label}><svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" rx="2"
          fill=${patternFill(id, index)} /></svg>${label}</li>
      `
    )
  }</ul>`;
}
