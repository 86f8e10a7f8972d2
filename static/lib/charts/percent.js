// @ts-check

/**
 * A share as an SVG attribute: everything in a chart is placed by percentages, since the page may have no inline style
 * and text must keep its shape.
 * @param {number} share
 */
export function percent(share) {
  return `${Math.round(share * 1e4) / 100}%`;
}
