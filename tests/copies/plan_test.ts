import assert from "node:assert/strict";
import { maxRequestBytes, planParts, rangeOf } from "../../src/copies/part_plan.ts";

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;
const tebibyte = 2 ** 40;

Deno.test("parts cover an object without gaps and within S3's limits", () => {
  for (const preferred of [5 * mebibyte, 16 * mebibyte, 128 * mebibyte]) {
    for (
      const size of [1, preferred - 1, preferred, preferred + 1, 5 * gibibyte + 1, 6 * gibibyte, 5 * tebibyte]
    ) {
      const parts = [...planParts(size, preferred)];
      assert.ok(parts.length <= 10_000, `${size}: ${parts.length} parts`);
      let end = 0;
      for (const [index, part] of parts.entries()) {
        assert.equal(part.number, index + 1);
        assert.equal(part.start, end);
        assert.ok(part.size > 0 && part.size <= maxRequestBytes);
        if (index < parts.length - 1) assert.ok(part.size >= preferred && part.size === parts[0].size);
        end += part.size;
      }
      assert.equal(end, size);
    }
  }
});

Deno.test("ranges name the first and the last byte", () => {
  const last = [...planParts(6 * gibibyte, 128 * mebibyte)].at(-1);
  assert.ok(last);
  assert.equal(rangeOf(last), `bytes=${6 * gibibyte - 128 * mebibyte}-${6 * gibibyte - 1}`);
  assert.equal(rangeOf({ number: 1, start: 0, size: 1 }), "bytes=0-0");
});
