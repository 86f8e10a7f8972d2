import assert from "node:assert/strict";
import fc from "fast-check";
import {
  crumbs,
  destinationOf,
  folderOf,
  nameOrder,
  parentOf,
  placeOf,
  searchOf,
} from "../../static/lib/browse/address.js";
import {
  comparator,
  compareKeys,
  entriesOf,
  merged,
  storageClassName,
} from "../../static/lib/browse/entries.js";
import { everything } from "../../static/lib/browse/copy_attributes.js";
import { copyCommands } from "../../static/lib/browse/copy_commands.js";
import { headAndTail, pieces } from "../../static/lib/browse/key_text.js";
import { extensionOf, kindOf } from "../../static/lib/browse/kinds.js";
import { sourcesOf, wayBack } from "../../static/lib/browse/selection_request.js";
import { browse } from "../../static/i18n/en/browse.js";
import { setLanguage } from "../../static/lib/i18n.js";

setLanguage("en", browse);

const oddKeys = [
  "a//b",
  "/leading",
  "a/../b",
  "./x",
  "%2F",
  "%252F/x",
  "50%.txt",
  "trailing ",
  " leading",
  "a#b?c=d&e+f",
  "日本語/ファイル.txt",
  "שלום.txt",
  "emoji 👩‍👩‍👧/x",
  "back\\slash",
  'quote"<b>',
  "new\nline",
  "tab\there",
  "\u202efdp.exe",
  "a".repeat(1024),
];

Deno.test("address: every odd key survives, as prefix, open key and filter", () => {
  for (const key of oddKeys) {
    const place = { prefix: key, open: key, filter: key, sort: nameOrder };
    const plain = { tab: "", version: "", view: "", kinds: "", at: "" };
    const read = placeOf(new URL(`http://host/b/x/y${searchOf(place)}`).search);
    assert.deepEqual(read, { ...place, ...plain }, key);
  }
});

Deno.test("address: every well-formed text survives a URL", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (key) => {
    const url = new URL(`http://host/b/x/y${searchOf({ prefix: key })}`);
    assert.equal(placeOf(url.search).prefix, key);
  }));
});

Deno.test("address: sort is kept and nonsense is the name order", () => {
  const sort = { field: "size" as const, descending: true };
  assert.deepEqual(placeOf(searchOf({ sort })).sort, sort);
  assert.deepEqual(placeOf("?sort=constructor&dir=up").sort, nameOrder);
  assert.equal(searchOf({}), "");
});

Deno.test("address: broken percent-encoding is taken as it stands; + is a space", () => {
  assert.equal(placeOf("?p=50%").prefix, "50%");
  assert.equal(placeOf("?p=a+b").prefix, "a b");
});

Deno.test("address: crumbs, parents and folders of odd prefixes", () => {
  assert.deepEqual(crumbs("a//b/").map(({ prefix }) => prefix), ["a/", "a//", "a//b/"]);
  assert.deepEqual(crumbs("/x/").map(({ prefix }) => prefix), ["/", "/x/"]);
  assert.deepEqual(crumbs(""), []);
  assert.equal(parentOf("a//"), "a/");
  assert.equal(parentOf("a/"), "");
  assert.equal(parentOf("/"), "");
  assert.equal(folderOf("a//b"), "a//");
  assert.equal(folderOf("b"), "");
});

Deno.test("address: pasted paths", () => {
  assert.deepEqual(destinationOf("s3://logs/2026/a.txt", "x"), {
    bucket: "logs",
    prefix: "2026/",
    open: "2026/a.txt",
  });
  assert.deepEqual(destinationOf("s3://logs", "x"), { bucket: "logs", prefix: "", open: "" });
  assert.deepEqual(destinationOf("arn:aws:s3:::logs//a/", "x"), { bucket: "logs", prefix: "/a/", open: "" });
  assert.deepEqual(destinationOf("docs/", "x"), { bucket: "x", prefix: "docs/", open: "" });
  assert.equal(destinationOf("s3:///key", "x"), null);
});

Deno.test("entries: names below the prefix; the folder's own marker is left out", () => {
  const page = {
    prefix: "a/",
    common_prefixes: ["a/b/", "a//"],
    objects: [
      { key: "a/", size: 0, last_modified: "2026-01-02T03:04:05Z" },
      { key: "a/x.txt", size: 5, last_modified: "2026-01-02T03:04:05Z", storage_class: "STANDARD" },
    ],
    is_truncated: false,
  };
  const { folders, objects } = entriesOf(page, "a/");
  assert.deepEqual(folders.map(({ name }) => name), ["b", ""]);
  assert.deepEqual(objects.map(({ name, size, modified }) => [name, size, modified]), [
    ["x.txt", 5, Date.UTC(2026, 0, 2, 3, 4, 5)],
  ]);
});

Deno.test("entries: a storage class as words", () => {
  assert.equal(storageClassName("STANDARD"), "Standard");
  assert.equal(storageClassName("STANDARD_IA"), "Standard IA");
});

Deno.test("entries: keys compare as their UTF-8 bytes", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
    const [left, right] = [bytes(a), bytes(b)];
    let at = 0;
    while (at < left.length && at < right.length && left[at] === right[at]) at++;
    assert.equal(Math.sign(compareKeys(a, b)), Math.sign((left[at] ?? -1) - (right[at] ?? -1)));
  }));
  assert.ok(compareKeys("\uff5e", "😀") < 0);
});

Deno.test("entries: merging sorted pages gives the sorted whole", () => {
  const entry = (key: string, size: number) => ({
    key,
    name: key,
    folder: false,
    size,
    modified: 0,
    storageClass: "",
  });
  fc.assert(fc.property(fc.array(fc.nat(9)), fc.array(fc.nat(9)), fc.boolean(), (a, b, descending) => {
    const compare = comparator({ field: "size", descending });
    const left = a.map((size, index) => entry(`a${index}`, size)).sort(compare);
    const right = b.map((size, index) => entry(`b${index}`, size)).sort(compare);
    assert.deepEqual(merged(left, right, compare), [...left, ...right].sort(compare));
  }));
});

Deno.test("key text: what cannot be seen is marked", () => {
  const shown = (name: string) => pieces(name).map(({ text, mark }) => mark ? `[${text}]` : text).join("");
  assert.equal(shown(".."), "[“..”]", "not a way to the folder above");
  assert.equal(shown("..."), "...");
  assert.equal(shown("plain name.txt"), "plain name.txt");
  assert.equal(shown(" a b "), "[\u2423]a b[\u2423]");
  assert.equal(shown("x\u202efdp.exe"), "x[U+202E]fdp.exe");
  assert.equal(shown("a\nb"), "a[U+000A]b");
  assert.equal(shown("  "), "[\u2423][\u2423]");
  assert.equal(shown(""), "[(no name)]");
});

Deno.test("key text: the tail keeps the extension and whole characters", () => {
  assert.deepEqual(headAndTail("short.txt"), ["short.txt", ""]);
  const [head, tail] = headAndTail("quarterly-report-2026.xlsx");
  assert.equal(head + tail, "quarterly-report-2026.xlsx");
  assert.ok(tail.endsWith(".xlsx"));
});

const row = (key: string, name: string) => ({
  key,
  name,
  folder: key.endsWith("/"),
  size: 1,
  modified: 0,
  storageClass: "",
});

Deno.test("kinds: a row's kind comes from its name", () => {
  const kinds = ["a.PNG", "b.mkv", "c.flac", "d.csv", "e.tar.gz", "f", ".env"].map((name) =>
    kindOf({ folder: false, name })
  );
  assert.deepEqual(kinds, ["image", "video", "audio", "document", "archive", "other", "other"]);
  assert.equal(kindOf({ folder: true, name: "x.png" }), "folder");
  assert.deepEqual([".env", "a.tar.gz", "noext", "x.toolongending"].map(extensionOf), ["", "gz", "", ""]);
});

Deno.test("selection: rows become few jobs, and a move knows its way back", () => {
  const rows = [row("a/x#1", "x#1"), row("a/b//", "b/"), row("a/c/", "c")];
  assert.deepEqual(sourcesOf("a/", rows, "to/"), [
    { src_prefix: "a/", keys: ["a/x#1"], prefixes: ["a/b//", "a/c/"], dst_prefix: "to/" },
  ]);
  assert.deepEqual(sourcesOf("a/", [rows[0]], "to/", "y"), [
    { src_prefix: "a/x#1", keys: ["a/x#1"], prefixes: [], dst_prefix: "to/y" },
  ]);
  assert.deepEqual(sourcesOf("a/", [rows[2]], "to/", "d"), [{ src_prefix: "a/c/", dst_prefix: "to/d/" }]);
  const everything = { ...row("a/", ""), folder: true };
  assert.deepEqual(sourcesOf("a/", [everything], "to/"), [{ src_prefix: "a/", dst_prefix: "to/" }]);
  const many = Array.from({ length: 2001 }, (_, index) => row(`a/${index}`, String(index)));
  assert.deepEqual(sourcesOf("a/", many, "").map(({ keys }) => keys?.length), [1000, 1000, 1]);
  for (const source of [...sourcesOf("a/", rows, "to/"), ...sourcesOf("a/", [rows[2]], "to/", "d")]) {
    assert.deepEqual(wayBack(wayBack(source)), { keys: undefined, prefixes: undefined, ...source });
  }
  assert.deepEqual(wayBack(sourcesOf("a/", [rows[0]], "to/", "y")[0]), {
    src_prefix: "to/y",
    keys: ["to/y"],
    prefixes: [],
    dst_prefix: "a/x#1",
  });
});

Deno.test("copies as commands: within a backend and to another, with what is not kept", () => {
  const rows = [row("a/x 1", "x 1"), row("a/c/", "c")];
  const from = { backend: "main", bucket: "one", prefix: "a/" };
  const to = { backend: "main", bucket: "two", prefix: "b/" };
  const usual = { from, to, move: false, attributes: everything };
  assert.deepEqual(copyCommands(rows, usual), [
    "aws s3 cp 's3://one/a/x 1' 's3://two/b/x 1'",
    "aws s3 cp --recursive s3://one/a/c/ s3://two/b/c/",
  ]);
  const bare = { keep_metadata: false, keep_tags: false, storage_class: "GLACIER_IR" };
  assert.deepEqual(copyCommands([rows[1]], { ...usual, move: true, name: "d", attributes: bare }), [
    "aws s3 mv --copy-props none --storage-class GLACIER_IR --recursive s3://one/a/c/ s3://two/b/d/",
  ]);
  assert.deepEqual(copyCommands(rows, { ...usual, to: { ...to, backend: "other" } }), [
    "rclone copyto --metadata 'main:one/a/x 1' 'other:two/b/x 1'",
    "rclone copy --metadata main:one/a/c/ other:two/b/c/",
  ]);
});
