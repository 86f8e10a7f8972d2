import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { HmacKey } from "../../src/sigv4/hmac_key.ts";

Deno.test("the published HMAC-SHA256 of RFC 4231 come out", () => {
  const cases = [
    [
      new Uint8Array(20).fill(0x0b),
      "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    ],
    [
      new TextEncoder().encode("Jefe"),
      "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ],
  ] as const;
  for (const [key, text, expected] of cases) assert.equal(new HmacKey(key).hex(text), expected);
});

Deno.test("every key and every length of text has the HMAC that the runtime's own implementation has", () => {
  const ascii = fc.string({ unit: "binary-ascii", maxLength: 300 });
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), ascii, (key, text) => {
    assert.equal(new HmacKey(key).hex(text), createHmac("sha256", key).update(text).digest("hex"));
  }));
  const key = new HmacKey(new Uint8Array(32));
  for (let length = 0; length < 200; length++) {
    const text = "x".repeat(length);
    assert.equal(key.hex(text), createHmac("sha256", new Uint8Array(32)).update(text).digest("hex"));
  }
});

Deno.test("a key that is longer than a block is refused", () => {
  assert.throws(() => new HmacKey(new Uint8Array(65)), RangeError);
});
