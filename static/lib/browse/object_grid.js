// @ts-check
/// <reference lib="dom" />
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { scrollTopShowing, visibleWindow } from "../grid/window.js";
import { html, Icon } from "../ui.js";
import { gridKeys } from "./grid_keys.js";
import { ObjectRow } from "./object_row.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */

/**
 * @typedef {object} GridView
 * @property {number} scrollTop CSS pixels
 * @property {(index: number) => void} reveal scrolls a row into view
 * @property {(rows: number) => void} shift keeps in sight what is, when so many rows come in above it
 */

/** Rows that the server draws, and the browser first. */
export const firstRows = 60;

/** Rows before the end of what is listed at which the next page is asked for. */
const ahead = 400;

/** Row elements are used again for other rows: their keys go round after at least so many. */
const minSlots = 64;

/** Where a tap on a row opens it, since there is neither a double click nor room to aim at its name. */
const tapping = "(pointer: coarse), (max-width: 599px)";

const columns =
  /** @type {const} */ ([["name", "Name"], ["size", "Size"], ["modified", "Modified"], ["class", "Class"]]);

/**
 * The folders and objects of the open folder. The box scrolls by itself; of any number of rows only those in sight, and a
 * few around them, are elements. The box has the focus and names its active row, which therefore need not be an element.
 * @param {{ browser: Browser, actions: BrowserActions, from: number, now: number }} props `from` is the first row drawn
 */
export function ObjectGrid({ browser, actions, from, now }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const range = useSignal({ start: from, end: from + firstRows });
  const rowHeight = useSignal(0);
  useEffect(() => watchBox(browser, box.current, range, rowHeight), []);
  useSignalEffect(() => {
    const { loader, rows, place } = browser;
    const listing = loader.listing.value;
    const wanted = range.value.end + ahead >= rows.value.length && place.value.filter === listing.filter;
    if (
      rowHeight.value > 0 && listing.started && !listing.complete && wanted && loader.loading.value === ""
    ) loader.more();
  });
  const active = browser.activeIndex.value;
  const drawn = active >= range.value.start && active < range.value.end;
  const click = (/** @type {MouseEvent} */ event) => clickRow(browser, actions, event);
  const focus = () => {
    if (box.current?.matches(":focus-visible")) showActive(browser);
  };
  return html`
    <div id="objects" class="object-grid" role="grid" tabindex="0" aria-multiselectable="true"
      aria-label="Objects" ref=${box}
      aria-rowcount=${browser.loader.listing.value.complete ? browser.rows.value.length + 1 : -1}
      aria-activedescendant=${drawn ? `object-${active}` : undefined}
      data-none-active=${active < 0 ? "" : undefined} onFocus=${focus}
      onClick=${click} onDblClick=${(/** @type {MouseEvent} */ event) => openRow(browser, actions, event)}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => gridKeys(browser, actions, event)}>
      <${Head} browser=${browser} />
      <${Body} browser=${browser} range=${range} rowHeight=${rowHeight} now=${now} />
    </div>
  `;
}

/** @param {{ browser: Browser }} props */
function Head({ browser }) {
  const { sort } = browser.place.value;
  const rows = browser.rows.value.length;
  const selected = browser.selection.value.keys.size;
  const all = () => selected > 0 ? browser.clearSelection() : browser.selectAll();
  return html`
    <div class="object-head" role="rowgroup">
      <div class="object-row" role="row" aria-rowindex="1">
        <span class="object-check" role="columnheader">
          <input type="checkbox" tabindex="-1" aria-label="Select all" checked=${selected > 0}
            indeterminate=${selected > 0 && selected < rows} disabled=${rows === 0} onClick=${all} />
        </span>
        ${columns.map(([field, label]) => {
          const sorted = sort.field === field;
          return html`
            <span key=${field} class="object-${field}" role="columnheader"
              aria-sort=${sorted ? sort.descending ? "descending" : "ascending" : undefined}>
                    <button type="button" class="sort-button" onClick=${() =>
                      browser.sortBy(field)}>${label}${sorted &&
                      html`<${Icon} name=${sort.descending ? "sort-down" : "sort-up"} />`}</button></span>
          `;
        })}
        <span class="object-more" role="columnheader"><span class="visually-hidden">Actions</span></span>
      </div>
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
  const { keys } = browser.selection.value;
  const { start, end } = range.value;
  const height = rowHeight.value;
  const slots = Math.max(minSlots, 2 ** Math.ceil(Math.log2(end - start)));
  return html`
    <div class="object-body" role="rowgroup" style=${height
      ? { height: `${rows.length * height}px` }
      : undefined}>
      <div class="object-window" role="presentation" style=${height
        ? { transform: `translateY(${start * height}px)` }
        : undefined}>${rows.slice(start, end).map((entry, offset) => {
          const index = start + offset;
          return html`
            <${ObjectRow} key=${index % slots} browser=${browser} entry=${entry} index=${index} now=${now}
              selected=${keys.has(entry.key)} active=${browser.activeIndex.value === index} />
          `;
        })}</div>
    </div>
  `;
}

/**
 * Keeps the drawn rows in step with scrolling, size and density. Returns a function that stops it.
 * @param {Browser} browser
 * @param {HTMLElement | null} box
 * @param {import("@preact/signals").Signal<{ start: number, end: number }>} range
 * @param {import("@preact/signals").Signal<number>} rowHeight
 */
function watchBox(browser, box, range, rowHeight) {
  if (box === null) return;
  const head = /** @type {HTMLElement} */ (box.firstElementChild);
  const view = () => ({
    scrollTop: box.scrollTop,
    viewportHeight: box.clientHeight - head.offsetHeight,
    rowHeight: rowHeight.value,
  });
  const draw = () => {
    const next = visibleWindow({ ...view(), count: browser.rows.value.length });
    if (next.start !== range.value.start || next.end !== range.value.end) range.value = next;
  };
  const measure = () => {
    rowHeight.value = parseFloat(getComputedStyle(box).getPropertyValue("--row"));
    draw();
  };
  browser.view = {
    get scrollTop() {
      return box.scrollTop;
    },
    // Rows that are new are drawn before the next frame: only then is the list high enough to scroll that far.
    set scrollTop(value) {
      requestAnimationFrame(() => {
        box.scrollTop = value;
        draw();
      });
    },
    reveal(index) {
      const { viewportHeight, ...rest } = view();
      const covered = parseFloat(getComputedStyle(box).scrollPaddingBottom) || 0;
      box.scrollTop = scrollTopShowing(index, { ...rest, viewportHeight: viewportHeight - covered });
    },
    shift(count) {
      if (box.scrollTop > 0 && count > 0) this.scrollTop = box.scrollTop + count * rowHeight.value;
    },
  };
  measure();
  if (browser.activeIndex.value > 0) {
    requestAnimationFrame(() => browser.view?.reveal(browser.activeIndex.value));
  }
  const observer = new ResizeObserver(measure);
  observer.observe(box);
  box.addEventListener("scroll", draw, { passive: true });
  addEventListener("preference", measure);
  const stopRows = browser.rows.subscribe(draw);
  return () => {
    observer.disconnect();
    removeEventListener("preference", measure);
    stopRows();
    browser.view = null;
  };
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
 * The row that something happened in.
 * @param {Browser} browser
 * @param {Event} event
 */
function rowOf(browser, event) {
  const element = event.target instanceof Element ? event.target.closest("[data-index]") : null;
  const index = element instanceof HTMLElement ? Number(element.dataset.index) : -1;
  return { index, entry: browser.rows.value[index] };
}

/**
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @param {MouseEvent} event
 */
function clickRow(browser, actions, event) {
  const { index, entry } = rowOf(browser, event);
  if (!entry || !(event.target instanceof Element)) return;
  const toggle = event.ctrlKey || event.metaKey;
  const range = event.shiftKey;
  const more = event.target.closest(".object-more button");
  if (more !== null) {
    browser.activeKey.value = entry.key;
    actions.openMenu(entry, more);
    return;
  }
  if (event.target.closest(".object-check")) browser.select(index, { toggle: true, range });
  else if (event.target.closest("a")) {
    event.preventDefault();
    if (toggle || range) browser.select(index, { toggle, range });
    else actions.open(entry);
  } else if (!toggle && !range && matchMedia(tapping).matches) actions.open(entry);
  else browser.select(index, { toggle, range });
  document.getElementById("objects")?.focus({ preventScroll: true });
}

/**
 * @param {Browser} browser
 * @param {BrowserActions} actions
 * @param {MouseEvent} event
 */
function openRow(browser, actions, event) {
  const { entry } = rowOf(browser, event);
  if (entry && event.target instanceof Element && !event.target.closest("a, button, .object-check")) {
    actions.open(entry);
  }
}
