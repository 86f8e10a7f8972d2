import assert from "node:assert/strict";
import { qrCode } from "../../static/lib/shares/qr.js";
import { decodeQr } from "../support/qr_decoder.ts";

Deno.test("a QR code says its text, whatever its length and so its version", () => {
  for (let length = 1; length <= 213; length += length < 20 ? 1 : 3) {
    const text = `https://share.example.org/s/${"aZ09".repeat(60)}`.slice(-length);
    const modules = qrCode(text);
    assert.ok(modules, `${length} bytes`);
    assert.equal(decodeQr(modules), text);
  }
});

Deno.test("a QR code counts bytes, not characters, and none is made for more than 213", () => {
  const text = "ä".repeat(106);
  assert.equal(decodeQr(qrCode(text) ?? []), text);
  assert.equal(qrCode(`${text}bc`), null);
});

Deno.test("a QR code has three finders, and is still read with a part of it covered", () => {
  const text = "https://share.example.org/s/AbCdEfGhIjKlMnOpQrStUv";
  const modules = qrCode(text) ?? [];
  const size = modules.length;
  assert.equal(size, 33);
  for (const [row, column] of [[0, 0], [0, size - 7], [size - 7, 0]]) {
    const finder = modules.slice(row, row + 7).map((line) =>
      line.slice(column, column + 7).map((dark) => dark ? "#" : ".").join("")
    );
    assert.deepEqual(finder, ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]);
  }
  const covered = modules.map((line, row) =>
    line.map((dark, column) => row > 12 && row < 18 && column > 14 && column < 20 ? true : dark)
  );
  assert.notDeepEqual(covered, modules);
  assert.equal(decodeQr(covered), text);
});
