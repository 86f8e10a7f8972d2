// @ts-check
/// <reference lib="dom" />
import { scrollTopShowing, visibleWindow } from "../grid/window.js";

/** @import { Browser } from "./browser.js" */

/**
 * Keeps the drawn rows in step with scrolling, size and density. Returns a function that stops it.
 * @param {Browser} browser
 * @param {HTMLElement | null} box
 * @param {import("@preact/signals").Signal<{ start: number, end: number }>} range
 * @param {import("@preact/signals").Signal<number>} rowHeight
 */
export function watchBox(browser, box, range, rowHeight) {
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
    hold() {
      const { scrollTop } = box;
      const index = Math.floor(scrollTop / rowHeight.value);
      const first = browser.rows.value[index]?.key;
      return () => {
        const rows = browser.rows.value.findIndex(({ key }) => key === first) - index;
        if (scrollTop > 0 && rows > 0) this.scrollTop = scrollTop + rows * rowHeight.value;
      };
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
