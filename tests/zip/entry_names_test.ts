import assert from "node:assert/strict";
import fc from "fast-check";
import { EntryNames } from "../../src/zip/entry_names.ts";

const namesOf = (base: string, ...keys: string[]) => {
  const names = new EntryNames(base);
  return keys.map((key) => names.nameOf(key, key.endsWith("/") ? "folder" : "file"));
};

Deno.test("names are keys without the folder that all of them are in", () => {
  assert.deepEqual(namesOf("a/", "a/b/c.txt", "a/b/", "a/d"), ["b/c.txt", "b/", "d"]);
  assert.deepEqual(namesOf("", "über/日本.txt", " x ", "README", "readme"), [
    "über/日本.txt",
    " x ",
    "README",
    "readme",
  ]);
});

Deno.test("no name leads out of the folder that the archive is unpacked in", () => {
  const attacks = [
    ["../../etc/passwd", "__/__/etc/passwd"],
    ["/etc/passwd", "etc/passwd"],
    ["//server/share/x", "server/share/x"],
    ["a/./b/../c", "a/_/b/__/c"],
    ["..\\..\\windows\\x", ".._.._windows_x"],
    ["C:/windows/x", "C_/windows/x"],
    ["C:\\windows\\x", "C__windows_x"],
    ["a/.. ./x", "a/__ _/x"],
    ["...", "___"],
    ["a\0b\r\nc\x7f\x85", "a_b__c__"],
    ["\\", "_"],
    ["a//b", "a/b"],
  ];
  for (const [key, name] of attacks) assert.deepEqual(namesOf("", key), [name]);
});

Deno.test("no two entries have one name, and none that of a folder or of the list of failures", () => {
  assert.deepEqual(namesOf("", "a//b.txt", "a/b.txt", "a/b (1).txt", "/a/b.txt"), [
    "a/b.txt",
    "a/b (1).txt",
    "a/b (1) (1).txt",
    "a/b (2).txt",
  ]);
  assert.deepEqual(namesOf("", "a", "a/", "a/x", "a/y"), ["a", "a (1)/", "a (1)/x", "a (1)/y"]);
  assert.deepEqual(namesOf("", "a/x", "a"), ["a/x", "a (1)"]);
  assert.deepEqual(namesOf("", "_errors.txt", ".profile", "/.profile"), [
    "_errors (1).txt",
    ".profile",
    ".profile (1)",
  ]);
});

Deno.test("any keys get safe names, each its own", () => {
  const part = fc.constantFrom("a", "b.txt", ".", "..", "", " ", "C:", "\\", "\0", "\n", "é", "(1)", "…");
  const key = fc.array(part, { minLength: 1, maxLength: 5 }).chain((parts) =>
    fc.constantFrom("/", "", " ").map((separator) => parts.join(separator))
  );
  fc.assert(fc.property(fc.uniqueArray(key, { maxLength: 30 }), (keys) => {
    const names = new EntryNames("");
    const files = keys.map((key) => names.nameOf(key, "file"));
    assert.equal(new Set(files).size, files.length);
    const folders = new Set(
      files.flatMap((name) =>
        name.split("/").slice(0, -1).map((_, depth, all) => all.slice(0, depth + 1).join("/"))
      ),
    );
    for (const name of files) {
      // deno-lint-ignore no-control-regex -- these must not be there
      assert.doesNotMatch(name, /[\x00-\x1f\x7f\\]|^\/|^[A-Za-z]:|\/\//);
      for (const segment of name.split("/")) assert.doesNotMatch(segment, /^[. ]*\.[. ]*$|^$/);
      assert.ok(!folders.has(name), `${name} is a folder too`);
    }
  }));
});

Deno.test("keys of very many folders fill the memory for names, which is bounded", () => {
  const names = new EntryNames("");
  let count = 0;
  for (; !names.isFull && count < 10_000; count++) names.nameOf(`${count}/${"a/".repeat(500)}x`, "file");
  assert.ok(names.isFull && count < 1_000, String(count));
});
