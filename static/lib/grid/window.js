// @ts-check

/** Rows drawn beyond each edge of the viewport; the window also starts and ends at multiples of it. */
export const overscan = 8;

/**
 * Which rows of a long list are drawn. The bounds are rounded outwards to multiples of {@link overscan}, so that a
 * scroll of a few rows leaves the window as it is and draws nothing.
 *
 * @param {{ scrollTop: number, viewportHeight: number, rowHeight: number, count: number }} view in CSS pixels
 * @returns {{ start: number, end: number }} indexes, `end` exclusive
 */
export function visibleWindow({ scrollTop, viewportHeight, rowHeight, count }) {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight) - overscan;
  const last = Math.ceil((Math.max(0, scrollTop) + viewportHeight) / rowHeight) + overscan;
  const end = Math.min(count, Math.ceil(last / overscan) * overscan);
  const start = Math.max(0, Math.floor(Math.min(first, end) / overscan) * overscan);
  return { start, end };
}

/**
 * The scroll position that brings a row into view with the least movement.
 *
 * @param {number} index
 * @param {{ scrollTop: number, viewportHeight: number, rowHeight: number }} view in CSS pixels
 * @returns {number}
 */
export function scrollTopShowing(index, { scrollTop, viewportHeight, rowHeight }) {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  if (top + rowHeight > scrollTop + viewportHeight) return top + rowHeight - viewportHeight;
  return scrollTop;
}
