import assert from "node:assert/strict";
import { everything, extended, nothing, only, toggled, without } from "../../static/lib/grid/selection.js";
import { scrollTopShowing, visibleWindow } from "../../static/lib/grid/window.js";

const order = ["a", "b", "c", "d", "e"];
const keys = (selection: { keys: ReadonlySet<string> }) => [...selection.keys].sort().join("");

Deno.test("window: covers the viewport and stays inside the list", () => {
  for (let scrollTop = 0; scrollTop < 36 * 1000; scrollTop += 97) {
    const { start, end } = visibleWindow({ scrollTop, viewportHeight: 700, rowHeight: 36, count: 1000 });
    assert.ok(start >= 0 && end <= 1000 && start <= end);
    assert.ok(start * 36 <= scrollTop, "the first row in sight is drawn");
    assert.ok(end * 36 >= Math.min(scrollTop + 700, 36 * 1000), "the last row in sight is drawn");
    assert.ok(end - start <= 60, "few rows are drawn");
  }
});

Deno.test("window: a small scroll leaves it as it is", () => {
  const at = (scrollTop: number) =>
    visibleWindow({ scrollTop, viewportHeight: 720, rowHeight: 36, count: 100_000 });
  assert.deepEqual(at(36 * 800), at(36 * 800 + 35));
});

Deno.test("window: empty list, and a list shorter than where it was scrolled to", () => {
  assert.deepEqual(visibleWindow({ scrollTop: 0, viewportHeight: 700, rowHeight: 36, count: 0 }), {
    start: 0,
    end: 0,
  });
  const { start, end } = visibleWindow({ scrollTop: 90_000, viewportHeight: 700, rowHeight: 36, count: 10 });
  assert.ok(start < end && end === 10);
});

Deno.test("window: scrolls no further than needed to show a row", () => {
  const view = { scrollTop: 360, viewportHeight: 360, rowHeight: 36 };
  assert.equal(scrollTopShowing(12, view), 360);
  assert.equal(scrollTopShowing(5, view), 180);
  assert.equal(scrollTopShowing(20, view), 396);
});

Deno.test("selection: a click selects one row and sets the anchor", () => {
  assert.equal(keys(extended(only("b"), order, "d")), "bcd");
  assert.equal(keys(extended(extended(only("b"), order, "e"), order, "a")), "ab");
});

Deno.test("selection: a toggle moves the anchor, and a deselected anchor stays one", () => {
  const selection = toggled(toggled(only("a"), "c"), "c");
  assert.equal(keys(selection), "a");
  assert.equal(keys(extended(selection, order, "e")), "cde");
  assert.equal(keys(extended(selection, order, "e", { add: true })), "acde");
});

Deno.test("selection: without an anchor, or with one that is gone, a range is one row", () => {
  assert.equal(keys(extended(nothing, order, "c")), "c");
  assert.equal(keys(extended(only("gone"), order, "c")), "c");
  assert.equal(keys(extended(only("b"), order, "gone")), "b");
});

Deno.test("selection: everything that is shown, and less what was deleted", () => {
  assert.equal(keys(everything(nothing, order)), "abcde");
  assert.equal(keys(without(everything(nothing, order), ["b", "x"])), "acde");
});
