import assert from "node:assert/strict";
import { readDestination } from "../../static/lib/palette/destination.js";
import { fuzzyMatch } from "../../static/lib/palette/fuzzy.js";

function best(query: string, ...texts: string[]): string | undefined {
  return texts
    .map((text) => ({ text, match: fuzzyMatch(query, text) }))
    .filter(({ match }) => match !== null)
    .sort((one, other) => (other.match?.score ?? 0) - (one.match?.score ?? 0))[0]?.text;
}

Deno.test("what is typed finds its letters in order; whole words and starts of words go first", () => {
  assert.equal(fuzzyMatch("xyz", "backup"), null);
  assert.equal(fuzzyMatch("ba", "ab"), null);
  assert.equal(best("log", "catalogue", "team-logs"), "team-logs");
  assert.equal(best("tb", "tubs", "team-backup"), "team-backup");
  assert.equal(best("users", "reuse-rest", "Users"), "Users");
  assert.deepEqual([...fuzzyMatch("tb", "team-backup")?.marks ?? []], [0, 5]);
  assert.deepEqual([...fuzzyMatch("Back", "team-backup")?.marks ?? []], [5, 6, 7, 8]);
  assert.ok(fuzzyMatch("log audit", "Audit log"), "words in any order");
  assert.deepEqual(fuzzyMatch("  ", "anything"), { score: 0, marks: new Set() });
});

Deno.test("paths lead to pages, and to buckets of backends that are known or have to be found", () => {
  const context = { origin: "https://storage.example", backends: ["local", "far"], current: "local" };
  const cases: Array<[string, unknown]> = [
    ["", null],
    ["s3://", null],
    ["arn:aws:iam::123:user/x", null],
    ["https://elsewhere.example/b/local", null],
    ["//elsewhere.example/b/local", null],
    ["/\\elsewhere.example", null],
    ["/\t/elsewhere.example", null],
    ["https://storage.example//elsewhere.example/b", null],
    ["https://storage.example/a/..//elsewhere.example", null],
    ["https://storage.example@elsewhere.example/b", null],
    ["https://storage.example/b/local/x?p=a/#top", { page: "/b/local/x?p=a/#top" }],
    ["/admin/audit?user=x", { page: "/admin/audit?user=x" }],
    [" s3://photos/2026/ ", { bucket: "photos", backend: null, search: "?p=2026/" }],
    ["arn:aws:s3:::photos/a b.txt", { bucket: "photos", backend: null, search: "?o=a%20b.txt" }],
    ["far", { page: "/b/far" }],
    ["far/photos/2026/", { bucket: "photos", backend: "far", search: "?p=2026/" }],
    ["photos/x/y.png", { bucket: "photos", backend: "local", search: "?p=x/&o=x/y.png" }],
    [
      "https://eu-central-1.console.aws.amazon.com/s3/buckets/photos?region=eu-central-1&prefix=2026/",
      { bucket: "photos", backend: null, search: "?p=2026/" },
    ],
  ];
  for (const [typed, expected] of cases) {
    assert.deepEqual(readDestination(typed, context), expected, typed);
  }
});
