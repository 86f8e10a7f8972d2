import assert from "node:assert/strict";
import { nearest } from "../../src/config/nearest.ts";

const keys = ["listen", "level", "format", "path", "path_style", "id", "db"];

const cases: [word: string, expected: string | null][] = [
  ["listn", "listen"],
  ["lisetn", "listen"],
  ["Listen", "listen"],
  ["list", "listen"],
  ["form", "format"],
  ["formatting", "format"],
  ["path-style", "path_style"],
  ["pathstyle", "path_style"],
  ["lvl", "level"],
  ["ids", "id"],
  ["x", null],
  ["1", null],
  ["", null],
  ["kubernetes", null],
];

for (const [word, expected] of cases) {
  Deno.test(`${JSON.stringify(word)} was meant to be ${expected}`, () => {
    assert.equal(nearest(word, keys), expected);
  });
}
