import assert from "node:assert/strict";
import { freeNames } from "../../src/prefixes/free_names.ts";

Deno.test("a taken name gets a number, before its extension", () => {
  const cases: [string, string][] = [
    ["photo.jpg", "photo (1).jpg"],
    ["a.b/photo", "a.b/photo (1)"],
    ["a/photo.tar.gz", "a/photo.tar (1).gz"],
    ["a/b.c/", "a/b.c (1)/"],
    ["a/.hidden", "a/.hidden (1)"],
    ["a/line\n.txt", "a/line\n (1).txt"],
    ["/", "/ (1)"],
  ];
  for (const [key, expected] of cases) {
    const [first, second, third] = freeNames(key);
    assert.deepEqual([first, second], [key, expected]);
    assert.equal(third, expected.replace("(1)", "(2)"));
  }
});
