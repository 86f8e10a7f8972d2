import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Sealer, SealError } from "../../src/secrets/seal.ts";

Deno.test("a sealed value opens in its place and nowhere else", () => {
  const sealer = new Sealer(randomBytes(32));
  const sealed = sealer.seal("s3cret", "backends/a");
  assert.equal(sealer.open(sealed, "backends/a"), "s3cret");
  assert.throws(() => sealer.open(sealed, "backends/b"), SealError);
});

Deno.test("sealing twice gives different bytes, none of which is the secret", () => {
  const sealer = new Sealer(randomBytes(32));
  const [first, second] = [sealer.seal("s3cret", "p"), sealer.seal("s3cret", "p")];
  assert.notDeepEqual(first, second);
  assert.equal(new TextDecoder("latin1").decode(first).includes("s3cret"), false);
});

Deno.test("every changed bit is found out", () => {
  const sealer = new Sealer(randomBytes(32));
  const sealed = sealer.seal("s3cret", "p");
  for (let index = 0; index < sealed.length; index++) {
    const changed = Uint8Array.from(sealed);
    changed[index] ^= 1;
    assert.throws(() => sealer.open(changed, "p"), SealError, `byte ${index}`);
  }
  assert.throws(() => sealer.open(sealed.subarray(0, 20), "p"), SealError);
});

Deno.test("a value of another root key is told apart from a damaged one", () => {
  const sealed = new Sealer(randomBytes(32)).seal("s3cret", "p");
  assert.throws(() => new Sealer(randomBytes(32)).open(sealed, "p"), /another root key/);
});
