// @ts-check

/**
 * A part of the whole as a rectangle; its sides are shares of the drawing's.
 * @typedef {{ index: number, x: number, y: number, width: number, height: number }} Tile
 */

/**
 * Lays parts out as rectangles whose areas are their values and whose sides are as equal as can be
 * (Bruls, Huizing, van Wijk: Squarified Treemaps, https://vanwijk.win.tue.nl/stm.pdf).
 * @param {readonly number[]} values none below 0, the largest first
 * @param {number} aspect the drawing's width by its height
 * @returns {Tile[]} none for what is 0
 */
export function treemapTiles(values, aspect) {
  const total = values.reduce((sum, value) => sum + value, 0);
  if (total <= 0) return [];
  const areas = values.filter((value) => value > 0).map((value) => value / total * aspect);
  /** @type {Tile[]} */
  const tiles = [];
  let free = { x: 0, y: 0, width: aspect, height: 1 };
  let first = 0;
  while (first < areas.length) {
    const side = Math.min(free.width, free.height);
    let last = first + 1;
    while (
      last < areas.length &&
      worst(areas.slice(first, last + 1), side) <= worst(areas.slice(first, last), side)
    ) {
      last++;
    }
    free = place(areas.slice(first, last), first, free, tiles);
    first = last;
  }
  return tiles.map((tile) => ({ ...tile, x: tile.x / aspect, width: tile.width / aspect }));
}

/**
 * How far the most oblong rectangle of a row is from a square.
 * @param {readonly number[]} areas
 * @param {number} side
 */
function worst(areas, side) {
  const sum = areas.reduce((total, area) => total + area, 0);
  return Math.max(
    ...areas.map((area) => Math.max(side ** 2 * area / sum ** 2, sum ** 2 / (side ** 2 * area))),
  );
}

/**
 * Puts a row along the shorter side of what is free, and returns what is left.
 * @param {readonly number[]} areas
 * @param {number} first
 * @param {{ x: number, y: number, width: number, height: number }} free
 * @param {Tile[]} tiles
 */
function place(areas, first, free, tiles) {
  const sum = areas.reduce((total, area) => total + area, 0);
  const upright = free.width >= free.height;
  const thickness = sum / (upright ? free.height : free.width);
  let at = 0;
  for (const [offset, area] of areas.entries()) {
    const length = area / thickness;
    tiles.push(
      upright
        ? { index: first + offset, x: free.x, y: free.y + at, width: thickness, height: length }
        : { index: first + offset, x: free.x + at, y: free.y, width: length, height: thickness },
    );
    at += length;
  }
  return upright
    ? { ...free, x: free.x + thickness, width: Math.max(0, free.width - thickness) }
    : { ...free, y: free.y + thickness, height: Math.max(0, free.height - thickness) };
}
