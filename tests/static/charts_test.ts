import assert from "node:assert/strict";
import { ticksOf } from "../../static/lib/charts/scale.js";
import { treemapTiles } from "../../static/lib/charts/treemap_layout.js";
import {
  ageGroupOf,
  emptyComposition,
  largestOf,
  typeGroupOf,
  withObjects,
} from "../../static/lib/insights/scan.js";
import { daysUntil } from "../../static/lib/insights/usage_days.js";

Deno.test("charts: lines across are round, few, and reach above the largest value", () => {
  assert.deepEqual(ticksOf(9), [0, 5, 10]);
  assert.deepEqual(ticksOf(1), [0, 1]);
  assert.deepEqual(ticksOf(3 * 1024 ** 3, { bytes: true }).map((tick) => tick / 1024 ** 3), [0, 1, 2, 3]);
  for (const max of [0, 1, 7, 99, 1000, 1023, 1025, 5e9, 2 ** 50]) {
    for (const bytes of [false, true]) {
      const ticks = ticksOf(max, { bytes });
      assert.ok(ticks.length >= 2 && ticks.length <= 6, `${max}: ${ticks}`);
      assert.ok((ticks.at(-1) ?? 0) >= max, `${max}: ${ticks}`);
    }
  }
});

Deno.test("charts: the tiles of a tree map have their share of the area and do not overlap", () => {
  const values = [500, 300, 120, 50, 20, 10, 0];
  const tiles = treemapTiles(values, 2.4);
  assert.equal(tiles.length, 6);
  for (const { index, x, y, width, height } of tiles) {
    assert.ok(Math.abs(width * height - values[index] / 1000) < 1e-9);
    assert.ok(x >= 0 && y >= 0 && x + width <= 1 + 1e-9 && y + height <= 1 + 1e-9);
  }
  for (const one of tiles) {
    for (const other of tiles.slice(tiles.indexOf(one) + 1)) {
      const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
      const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
      assert.ok(across < 1e-9 || down < 1e-9);
    }
  }
  assert.deepEqual(treemapTiles([0, 0], 1), []);
});

Deno.test("insights: objects are counted by folder, type and age", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const found = withObjects(emptyComposition, [
    { key: "a/b/c.JPG", size: 5, last_modified: "2026-11-21T00:00:00Z" },
    { key: "a/d.csv.gz", size: 7, last_modified: "2026-10-01T00:00:00Z" },
    { key: "readme", size: 1, last_modified: "2020-01-01T00:00:00Z" },
  ], now);
  assert.deepEqual(found.total, { count: 3, bytes: 13 });
  assert.deepEqual(Object.fromEntries(found.folders), {
    "a/": { count: 2, bytes: 12 },
    "": { count: 1, bytes: 1 },
  });
  assert.deepEqual([...found.types.keys()], ["image", "archive", "other"]);
  assert.deepEqual([...found.ages.keys()], ["day", "quarter", "older"]);
  assert.equal(typeGroupOf("folder.d/none"), "other");
  assert.equal(ageGroupOf(now - 8 * 86_400_000, now), "month");
  assert.deepEqual(largestOf(found.folders, 1), {
    largest: [["a/", { count: 2, bytes: 12 }]],
    others: { names: 1, count: 1, bytes: 1 },
  });
  assert.deepEqual(daysUntil([{ day: "2026-11-20" }], 3, now).map(({ sample }) => sample?.day ?? null), [
    null,
    "2026-11-20",
    null,
  ]);
});
