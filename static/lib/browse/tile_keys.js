// @ts-check
/// <reference lib="dom" />

/** @import { Browser } from "./browser.js" */
/** @import { GridView } from "./object_grid.js" */

const links = "a.tile-face";

/**
 * What the keys do among the tiles. All others are left to the page's shortcuts.
 * @param {Browser} browser
 * @param {KeyboardEvent} event
 */
export function tileKeys(browser, event) {
  const { target, currentTarget: box, key, shiftKey: range } = event;
  if (!(box instanceof HTMLElement) || !(target instanceof Element) || !target.matches(links)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const tiles = [...box.querySelectorAll(links)];
  const index = tiles.indexOf(target);
  if (key === " ") browser.select(index, { toggle: true, range });
  else {
    const to = tileBeside(tiles, index, key);
    if (to === null) return;
    browser.moveTo(to, { range });
  }
  event.preventDefault();
}

/**
 * Where a key leads from a tile; `null` for one that leads nowhere.
 * @param {Element[]} tiles
 * @param {number} index
 * @param {string} key
 */
function tileBeside(tiles, index, key) {
  const last = tiles.length - 1;
  const top = tiles[0].getBoundingClientRect().top;
  const second = tiles.findIndex((tile) => tile.getBoundingClientRect().top > top);
  const columns = second < 0 ? tiles.length : second;
  switch (key) {
    case "ArrowRight":
      return Math.min(last, index + 1);
    case "ArrowLeft":
      return Math.max(0, index - 1);
    case "ArrowDown":
      return Math.floor(index / columns) < Math.floor(last / columns)
        ? Math.min(last, index + columns)
        : index;
    case "ArrowUp":
      return index < columns ? index : index - columns;
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}

/**
 * Focuses the tile that is in the tab order, when the focus comes to the box of all.
 * @param {HTMLElement} box
 */
export function focusTile(box) {
  if (document.activeElement !== box) return;
  const tile = box.querySelector(`${links}[tabindex="0"]`);
  // A click beside the tiles must not scroll to it.
  if (tile instanceof HTMLElement) tile.focus({ preventScroll: true });
}

/**
 * The tiles as what can be scrolled.
 * @param {HTMLElement} box
 * @returns {GridView}
 */
export function tileView(box) {
  return {
    get scrollTop() {
      return box.scrollTop;
    },
    // Tiles that are new are drawn before the next frame.
    set scrollTop(value) {
      requestAnimationFrame(() => box.scrollTop = value);
    },
    reveal(index) {
      const tile = box.querySelectorAll(links)[index];
      tile?.scrollIntoView({ block: "nearest" });
      if (tile instanceof HTMLElement && box.contains(document.activeElement)) {
        tile.focus({ preventScroll: true });
      }
    },
    hold: () => () => {},
  };
}
