import { sha256Hex } from "../src/sigv4/canonical.ts";

/** What an object holds. */
export interface Content {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

/** `count` contents of `length` bytes, made of the seeds from `firstSeed` on. */
export function makeContents(count: number, length: number, firstSeed: number): Content[] {
  return Array.from({ length: count }, (_, index) => {
    const bytes = pseudoRandomBytes(firstSeed + index, length);
    return { bytes, hash: sha256Hex(bytes) };
  });
}

/** Bytes that look random, the same for the same seed: xorshift32, https://www.jstatsoft.org/article/view/v008i14 */
function pseudoRandomBytes(seed: number, length: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(length / 4));
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  for (let index = 0; index < words.length; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
  return new Uint8Array(words.buffer, 0, length);
}
