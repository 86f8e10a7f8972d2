import assert from "node:assert/strict";
import { parseCsv } from "../../static/lib/preview/csv.js";
import { readExif } from "../../static/lib/preview/exif.js";
import { exposureText } from "../../static/lib/preview/exif_view.js";
import { hexLines } from "../../static/lib/preview/hex.js";
import { indentedJson } from "../../static/lib/preview/json.js";
import { previewKind } from "../../static/lib/preview/kind.js";
import { isPlainText, textOf } from "../../static/lib/preview/text.js";
import { withExif } from "../browser/preview_files.ts";

Deno.test("preview: the content type decides, the extension when it says nothing", () => {
  assert.equal(previewKind("a.png", "image/png"), "image");
  assert.equal(previewKind("a", "application/pdf"), "pdf");
  assert.equal(previewKind("a.csv", "application/octet-stream"), "csv");
  assert.equal(previewKind("a.csv", "text/plain; charset=utf-8"), "csv");
  assert.equal(previewKind("a.mp4", ""), "video");
  assert.equal(previewKind("README.MD", ""), "markdown");
  assert.equal(previewKind("a.log.gz", "application/octet-stream"), "gzip");
  assert.equal(previewKind("a.docx", ""), "zip");
  assert.equal(previewKind("a.parquet", ""), "parquet");
  assert.equal(previewKind("x", "application/ld+json"), "json");
  assert.equal(previewKind("page.html", "text/html"), "text");
  assert.equal(previewKind("page.html", ""), "text");
  assert.equal(previewKind("x.svg", "image/svg+xml"), "image");
  assert.equal(previewKind("constructor", ""), "hex");
  assert.equal(previewKind("a.constructor", ""), "hex");
});

Deno.test("preview: CSV with quotes, line breaks and other separators", () => {
  assert.deepEqual(parseCsv('a,b\r\n"x, ""y""","1\n2"\n', 10), {
    rows: [["a", "b"], ['x, "y"', "1\n2"]],
    more: false,
  });
  assert.deepEqual(parseCsv("a;b;c\n1;2,5;3", 10).rows, [["a", "b", "c"], ["1", "2,5", "3"]]);
  assert.deepEqual(parseCsv("\ufeffa\tb\n", 10).rows, [["a", "b"]]);
  assert.deepEqual(parseCsv("a\nb\nc\n", 2), { rows: [["a"], ["b"]], more: true });
  assert.deepEqual(parseCsv("", 2), { rows: [], more: false });
  assert.deepEqual(parseCsv('"never closed', 2).rows, [["never closed"]]);
});

Deno.test("preview: hex lines", () => {
  const bytes = new Uint8Array([...Array(17).keys()].map((value) => value + 0x41));
  assert.equal(
    hexLines(bytes),
    "0000  41 42 43 44 45 46 47 48  ABCDEFGH\n" +
      "0008  49 4a 4b 4c 4d 4e 4f 50  IJKLMNOP\n" +
      "0010  51                       Q",
  );
});

Deno.test("preview: bytes as text, a cut character left out", () => {
  const bytes = new TextEncoder().encode("añ");
  assert.deepEqual(textOf(bytes, true), { text: "añ", legacy: false });
  assert.deepEqual(textOf(bytes.subarray(0, 2), false), { text: "a", legacy: false });
  assert.deepEqual(textOf(new Uint8Array([0xff, 0xfe, 0x61, 0]), true), { text: "a", legacy: false });
  const latin = new Uint8Array([0x61, 0xf1]);
  assert.deepEqual(textOf(latin, true), { text: "añ", legacy: true });
  assert.deepEqual(textOf(new Uint8Array([0x83, 0x41]), true, "shift_jis"), { text: "ア", legacy: true });
  assert.equal(textOf(new Uint8Array([0x50, 0x4b, 0, 3]), true), null);
});

Deno.test("preview: what is text beyond doubt", () => {
  const bytes = new TextEncoder().encode("all:\n\techo añ");
  assert.equal(isPlainText(bytes, true), true);
  assert.equal(isPlainText(bytes.subarray(0, -1), false), true);
  assert.equal(isPlainText(bytes.subarray(0, -1), true), false);
  assert.equal(isPlainText(new Uint8Array([0x61, 0xf1, 0x61]), false), false);
  assert.equal(isPlainText(new Uint8Array([0x61, 0]), true), false);
  assert.equal(isPlainText(new Uint8Array([0x01, 0x02]), true), false);
});

Deno.test("preview: JSON is laid out without changing a value", () => {
  const source = '{"a":[1,{"b":"x: {,}\\" y"}],"big":12345678901234567890,"e":{},"f":[]}';
  assert.equal(
    indentedJson(source),
    '{\n  "a": [\n    1,\n    {\n      "b": "x: {,}\\" y"\n    }\n  ],\n  "big": 12345678901234567890,\n' +
      '  "e": {},\n  "f": []\n}',
  );
  assert.equal(indentedJson('{"a": [1, 2'), '{\n  "a": [\n    1,\n    2');
  assert.equal(indentedJson('{"a":1}\n{"a":2}'), '{\n  "a": 1\n}\n{\n  "a": 2\n}');
});

Deno.test("preview: what a camera wrote into a JPEG file, and what is cut off or no Exif at all", () => {
  const photo = withExif(new Uint8Array([0xff, 0xd8, 0xff, 0xda, 0, 2]));
  assert.deepEqual(readExif(photo), {
    camera: "Example One",
    lens: undefined,
    software: undefined,
    taken: "2026-11-21 18:05:30",
    exposure: 1 / 250,
    aperture: 2.8,
    iso: 400,
    focalLength: undefined,
    location: { latitude: -(33 + 51 / 60 + 30 / 3600), longitude: 151 + 12 / 60 + 54 / 3600 },
  });
  assert.equal(readExif(new Uint8Array([0xff, 0xd8, 0xff, 0xda, 0, 2])), null);
  assert.equal(readExif(new TextEncoder().encode("no picture")), null);
  for (let length = 0; length < photo.length; length++) {
    readExif(photo.slice(0, length));
    const broken = photo.slice();
    broken[length] ^= 0xff;
    readExif(broken);
  }
});

Deno.test("preview: an exposure time as a camera shows it", () => {
  const times = [1 / 250, 0.25, 0.3, 0.6, 0.8, 1, 2.5];
  assert.deepEqual(times.map(exposureText), ["1/250", "1/4", "0.3", "0.6", "0.8", "1", "2.5"]);
});
