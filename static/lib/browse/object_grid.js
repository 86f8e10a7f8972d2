// @ts-check
/// <reference lib="dom" />
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n.js";
import { html } from "../ui.js";
import { whenIdle } from "../when_idle.js";
import { watchBox } from "./grid_box.js";
import { GridHead } from "./grid_head.js";
import { gridKeys } from "./grid_keys.js";
import { clickRow, openRow } from "./grid_pointer.js";
import { ObjectRow } from "./object_row.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */

/**
 * @typedef {object} GridView
 * @property {number} scrollTop CSS pixels
 * @property {(index: number) => void} reveal scrolls a row into view
 * @property {() => () => void} hold notes what is in sight, and returns what scrolls there again once rows have come in above
 */

/** Rows that the server draws, and the browser first. */
export const firstRows = 60;

/** Rows before the end of what is listed at which the next page is asked for. */
const ahead = 400;

/** Rows among which some of a kind are looked for unasked. */
const maxSearched = 10_000;

/** Row elements are used again for other rows: their keys go round after at least so many. */
const minSlots = 64;

/**
 * The folders and objects of the open folder. The box scrolls by itself; of any number of rows only those in sight, and a
 * few around them, are elements, and the active one wherever it is: the box has the focus and names it.
 * @param {{ browser: Browser, actions: BrowserActions, from: number, now: number }} props `from` is the first row drawn
 */
export function ObjectGrid({ browser, actions, from, now }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const range = useSignal({ start: from, end: from + firstRows });
  const rowHeight = useSignal(0);
  useEffect(() => watchBox(browser, box.current, range, rowHeight), []);
  useEffect(() => watchPointer(browser, actions, box.current), []);
  useSignalEffect(() => {
    const { loader, rows, place } = browser;
    const listing = loader.listing.value;
    const { filter, kinds } = place.value;
    // Of a kind there may be none in a folder of any length.
    const isSearched = Boolean(kinds) && listing.length >= maxSearched;
    const wanted = range.value.end + ahead >= rows.value.length && filter === listing.filter && !isSearched;
    if (rowHeight.value > 0 && listing.started && !listing.ended && wanted && loader.ready) loader.more();
  });
  const active = browser.activeIndex.value;
  const click = (/** @type {MouseEvent} */ event) => clickRow(browser, actions, event);
  const focus = () => {
    if (box.current?.matches(":focus-visible")) showActive(browser);
  };
  return html`
    <div id="objects" class="object-grid" role="grid" tabindex="0" aria-multiselectable="true"
      aria-label=${t("browse.objects")} ref=${box} data-columns=${browser.columns.value.join(" ")}
      data-stale=${browser.loader.stale.value ? "" : undefined}
      aria-rowcount=${browser.loader.listing.value.complete ? browser.rows.value.length + 1 : -1}
      aria-activedescendant=${active >= 0 && rowHeight.value > 0 ? `object-${active}` : undefined}
      data-none-active=${active < 0 ? "" : undefined} onFocus=${focus}
      onClick=${click} onDblClick=${(/** @type {MouseEvent} */ event) => openRow(browser, actions, event)}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => gridKeys(browser, actions, event)}>
      <${GridHead} browser=${browser} />
      <${Body} browser=${browser} range=${range} rowHeight=${rowHeight} now=${now} />
    </div>
  `;
}

/**
 * @param {{
 *   browser: Browser, now: number, rowHeight: import("@preact/signals").Signal<number>,
 *   range: import("@preact/signals").Signal<{ start: number, end: number }>
 * }} props
 */
function Body({ browser, range, rowHeight, now }) {
  const rows = browser.rows.value;
  const { start, end } = range.value;
  const height = rowHeight.value;
  const slots = Math.max(minSlots, 2 ** Math.ceil(Math.log2(end - start)));
  const active = browser.activeIndex.value;
  const isAside = height > 0 && active >= 0 && (active < start || active >= end);
  /** Some rows, from one of them on. */
  const windowOf = (/** @type {number} */ first, /** @type {number} */ last) =>
    html`
      <div class="object-window" role="presentation" style=${height
        ? { transform: `translateY(${first * height}px)` }
        : undefined}>${rows.slice(first, last).map((entry, offset) => {
          const index = first + offset;
          return html`
            <${ObjectRow} key=${index % slots} browser=${browser} entry=${entry} index=${index} now=${now}
              selected=${browser.isSelected(entry.key)} active=${active === index} />
          `;
        })}</div>
    `;
  return html`
    <div class="object-body" role="rowgroup" style=${height
      ? { height: `${rows.length * height}px` }
      : undefined}>
      ${windowOf(start, end)}${isAside && windowOf(active, active + 1)}
    </div>
  `;
}

/**
 * Shows where the keyboard is when it comes to the list: at the active row, or at the first one.
 * @param {Browser} browser
 */
function showActive(browser) {
  if (browser.activeIndex.value < 0) browser.activeKey.value = browser.rows.value[0]?.key ?? "";
  if (browser.activeIndex.value >= 0) browser.view?.reveal(browser.activeIndex.value);
}

/**
 * Starts what a pointer needs only after the first moments: listing ahead, selecting by touch, and dragging rows. Returns a
 * function that stops it.
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @param {HTMLElement | null} box
 */
function watchPointer(browser, actions, box) {
  if (box === null) return;
  /** @type {Array<() => void>} */
  let stops = [];
  let stopped = false;
  const start = async () => {
    if (stopped) return;
    const [{ watchHover }, { watchTouch }, { watchDrags }] = await Promise.all([
      import("./row_hover.js"),
      import("./row_touch.js"),
      import("./row_drag.js"),
    ]);
    if (stopped) return;
    stops = [watchHover(browser, box), watchTouch(browser, box)];
    if (browser.canWrite) stops.push(watchDrags(browser, actions, box));
  };
  // Without them the list works all the same.
  whenIdle(() => start().catch(() => {}));
  return () => {
    stopped = true;
    stops.forEach((stop) => stop());
  };
}
