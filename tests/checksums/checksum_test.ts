import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { type ChecksumAlgorithm, checksumAlgorithms, startChecksum } from "../../src/checksums/checksum.ts";

function checksumOf(algorithm: ChecksumAlgorithm, ...pieces: Uint8Array[]): string {
  const checksum = startChecksum(algorithm);
  for (const piece of pieces) checksum.update(piece);
  return Buffer.from(checksum.value(), "base64").toString("hex");
}

/** The check values of the catalogue of CRC algorithms, https://reveng.sourceforge.io/crc-catalogue/, and of FIPS 180-4. */
const checkValues: Record<ChecksumAlgorithm, string> = {
  crc32: "cbf43926",
  crc32c: "e3069283",
  crc64nvme: "ae8b14860a799888",
  sha1: "f7c3bc1d808e04732adf679965ccc34ca7ae3441",
  sha256: "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225",
};

Deno.test("the check value of each algorithm comes out", () => {
  const digits = new TextEncoder().encode("123456789");
  for (const algorithm of checksumAlgorithms) {
    assert.equal(checksumOf(algorithm, digits), checkValues[algorithm], algorithm);
  }
});

/** A reflected CRC bit by bit, as its definition has it. */
function slowCrc(polynomial: bigint, bits: number, bytes: Uint8Array): string {
  const ones = (1n << BigInt(bits)) - 1n;
  let value = ones;
  for (const byte of bytes) {
    value ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) value = (value >> 1n) ^ ((value & 1n) === 1n ? polynomial : 0n);
  }
  return (value ^ ones).toString(16).padStart(bits / 4, "0");
}

Deno.test("checksums of any bytes in any pieces are those of the definition", () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 5 });
  fc.assert(fc.property(pieces, (pieces) => {
    const all = Buffer.concat(pieces);
    assert.equal(checksumOf("crc32", ...pieces), crc32(all).toString(16).padStart(8, "0"));
    assert.equal(checksumOf("crc32c", ...pieces), slowCrc(0x82f63b78n, 32, all));
    assert.equal(checksumOf("crc64nvme", ...pieces), slowCrc(0x9a6c9329ac4bc9b5n, 64, all));
    assert.equal(checksumOf("sha1", ...pieces), createHash("sha1").update(all).digest("hex"));
    assert.equal(checksumOf("sha256", ...pieces), createHash("sha256").update(all).digest("hex"));
  }));
});
