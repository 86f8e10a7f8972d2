import assert from "node:assert/strict";
import { unpackedHead } from "../../static/lib/preview/gzip.js";
import { grammarOf, highlighted } from "../../static/lib/preview/highlight.js";
import { jsonNodes } from "../../static/lib/preview/json_nodes.js";
import { lineNumbers } from "../../static/lib/preview/lines.js";
import { footerLength, parquetFooter } from "../../static/lib/preview/parquet.js";

const marks = (text: string, grammar: "json" | "yaml" | "log") =>
  highlighted(text, grammar).filter(({ kind }) => kind !== "").map(({ kind, text }) => `${kind} ${text}`);

Deno.test("preview: what a text is coloured by", () => {
  assert.equal(grammarOf("a.json", ""), "json");
  assert.equal(grammarOf("a", "application/ld+json"), "json");
  assert.equal(grammarOf("a.YML", ""), "yaml");
  assert.equal(grammarOf("app.log", "text/plain"), "log");
  assert.equal(grammarOf("a.txt", "text/plain"), "plain");
  assert.deepEqual(marks('{"a": "b\\"c", "d": -1.5e3, "e": true}', "json"), [
    'name "a"',
    'string "b\\"c"',
    'name "d"',
    "number -1.5e3",
    'name "e"',
    "word true",
  ]);
  assert.deepEqual(marks("# note\nname: 'x'\n- port: 80\n", "yaml"), [
    "comment # note",
    "name name",
    "string 'x'",
    "name port",
    "number 80",
  ]);
  assert.deepEqual(marks("2026-11-21T10:00:00Z ERROR it\nWARN x\nINFO y", "log"), [
    "comment 2026-11-21T10:00:00Z",
    "error ERROR",
    "warn WARN",
    "info INFO",
  ]);
});

Deno.test("preview: the pieces of a coloured text are the text, however odd it is", () => {
  const start = performance.now();
  for (const piece of ['"', '\\"', '"a":', "{", "\\", "- ", "a: ", " ", "'", "2026-01-01T", "#", "0"]) {
    const text = `"${piece.repeat(100_000 / piece.length)}`;
    for (const grammar of ["json", "yaml", "log"] as const) {
      assert.equal(highlighted(text, grammar).map(({ text }) => text).join(""), text);
    }
  }
  assert.ok(performance.now() - start < 5000);
});

Deno.test("preview: line numbers", () => {
  assert.equal(lineNumbers("a"), "1");
  assert.equal(lineNumbers("a\nb\n"), "1\n2");
  assert.equal(lineNumbers("a\n\nb"), "1\n2\n3");
});

Deno.test("preview: a JSON tree keeps values as they are written", () => {
  const root = jsonNodes('{"a": [1, 12345678901234567890], "a": "x\\n", "": null, "e": {}, "f": []}');
  assert.deepEqual(root?.children.map(({ name, kind, raw }) => [name, kind, raw]), [
    ["a", "array", ""],
    ["a", "string", '"x\\n"'],
    ["", "word", "null"],
    ["e", "object", ""],
    ["f", "array", ""],
  ]);
  assert.equal(root?.children[0].children[1].raw, "12345678901234567890");
  assert.equal(jsonNodes(" 5 ")?.raw, "5");
});

Deno.test("preview: what is no JSON document has no tree, and depth breaks nothing", () => {
  for (
    const text of [
      "",
      "{",
      "]",
      '{"a"}',
      '{"a":1,}',
      "[1,]",
      "[1 2]",
      "1 2",
      "{a:1}",
      "[1}",
      '{"a":1]',
      "nope",
      "[,1]",
      '"a',
      "01",
    ]
  ) assert.equal(jsonNodes(text), null, text);
  const depth = 100_000;
  const deep = jsonNodes("[".repeat(depth) + "]".repeat(depth));
  assert.equal(deep?.children.length, 1);
  assert.equal(jsonNodes(`[${"0,".repeat(300_000)}0]`), null, "too many values");
});

Deno.test("preview: the beginning of a gzip stream, also of one that is cut off", async () => {
  const text = new TextEncoder().encode("hello ".repeat(50_000));
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  const whole = await unpackedHead(packed, 1_000_000);
  assert.deepEqual([whole?.bytes.length, whole?.complete], [text.length, true]);
  const limited = await unpackedHead(packed, 1000);
  assert.deepEqual([limited?.bytes.length, limited?.complete], [1000, false]);
  const cut = await unpackedHead(packed.slice(0, packed.length - 20), 1_000_000);
  assert.equal(cut?.complete ?? false, false);
  assert.equal(await unpackedHead(new Uint8Array([1, 2, 3]), 100), null);
});

Deno.test("preview: the footer of a Parquet file", () => {
  // FileMetaData in Thrift's compact protocol: version 1, a schema of a group with two columns, 3 rows, no row groups.
  const name = (text: string) => [text.length, ...new TextEncoder().encode(text)];
  const footer = new Uint8Array([
    ...[0x15, 2],
    ...[0x19, 0x3c],
    ...[0x48, ...name("schema"), 0x15, 4, 0],
    ...[0x15, 4, 0x25, 0, 0x18, ...name("id"), 0],
    ...[0x15, 12, 0x25, 2, 0x18, ...name("city"), 0x25, 0, 0],
    ...[0x16, 6],
    ...[0x19, 0x0c],
    ...[0x28, ...name("test"), 0],
  ]);
  assert.deepEqual(parquetFooter(footer), {
    rows: 3,
    rowGroups: 0,
    createdBy: "test",
    columns: [
      { name: "id", type: "INT64", optional: false, depth: 0 },
      { name: "city", type: "UTF8", optional: true, depth: 0 },
    ],
  });
  for (let length = 0; length < footer.length; length++) {
    assert.equal(parquetFooter(footer.subarray(0, length)), null, `${length} bytes of it`);
  }
  assert.equal(parquetFooter(new Uint8Array(1000).fill(0x9c)), null, "structs without end");
  assert.equal(footerLength(new TextEncoder().encode("\x10\0\0\0PAR1")), 16);
  assert.equal(footerLength(new TextEncoder().encode("\x10\0\0\0PARE")), null);
});
