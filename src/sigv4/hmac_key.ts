/*
 * HMAC-SHA256 (RFC 2104, FIPS 180-4) of short texts. Signatures are made of some 150 bytes under a key that is used again and
 * again: with the key's two blocks digested beforehand there are four blocks left, which takes a fraction of what it takes to
 * set up a native HMAC.
 */

/** A key of HMAC-SHA256, prepared for many texts. */
export class HmacKey {
  /** States after the key's inner and outer block. */
  readonly #inner: Int32Array;
  readonly #outer: Int32Array;

  /** `bytes` is at most 64 bytes long, a block. */
  constructor(bytes: Uint8Array) {
    if (bytes.length > blockBytes) throw new RangeError("the key of an HMAC has at most 64 bytes here");
    this.#inner = stateAfterKey(bytes, 0x36);
    this.#outer = stateAfterKey(bytes, 0x5c);
  }

  /**
   * The HMAC of a text whose characters stand for bytes, as lower-case hexadecimal digits. Other characters must not be in it:
   * they would count as the byte that their code ends in.
   */
  hex(text: string): string {
    state.set(this.#inner);
    let offset = 0;
    for (; text.length - offset >= blockBytes; offset += blockBytes) {
      for (let index = 0; index < blockBytes; index++) block[index] = text.charCodeAt(offset + index);
      compress();
    }
    const rest = text.length - offset;
    for (let index = 0; index < rest; index++) block[index] = text.charCodeAt(offset + index);
    finish(rest, blockBytes + text.length);
    writeState();
    state.set(this.#outer);
    finish(digestBytes, blockBytes + digestBytes);
    return hexOf(state);
  }
}

const blockBytes = 64;
const digestBytes = 32;

/** The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
// deno-fmt-ignore
const initial = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const constants = Int32Array.from(primes(64), (prime) => (Math.cbrt(prime) % 1) * 2 ** 32 | 0);

/** What is worked on: one digest at a time, from beginning to end without a pause. */
const state = new Int32Array(8);
const block = new Uint8Array(blockBytes);
const schedule = new Int32Array(64);

/** Each byte as two hexadecimal digits. */
const byteDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function stateAfterKey(key: Uint8Array, pad: number): Int32Array {
  state.set(initial);
  for (let index = 0; index < blockBytes; index++) block[index] = (key[index] ?? 0) ^ pad;
  compress();
  return state.slice();
}

/** Digests the last bytes: `count` of them are in the block, `total` were digested with them. */
function finish(count: number, total: number): void {
  block[count] = 0x80;
  block.fill(0, count + 1);
  if (count >= blockBytes - 8) {
    compress();
    block.fill(0);
  }
  const bits = total * 8;
  for (let index = 0; index < 4; index++) block[blockBytes - 1 - index] = bits >>> (8 * index);
  compress();
}

/** Puts the state into the block, as bytes. */
function writeState(): void {
  for (let index = 0; index < digestBytes; index++) {
    block[index] = state[index >> 2] >>> (24 - 8 * (index & 3));
  }
}

/** FIPS 180-4, section 6.2.2. */
function compress(): void {
  for (let t = 0; t < 16; t++) {
    const at = t * 4;
    schedule[t] = block[at] << 24 | block[at + 1] << 16 | block[at + 2] << 8 | block[at + 3];
  }
  for (let t = 16; t < 64; t++) {
    const x = schedule[t - 15];
    const y = schedule[t - 2];
    const sigma0 = (x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3;
    const sigma1 = (y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10;
    schedule[t] = schedule[t - 16] + sigma0 + schedule[t - 7] + sigma1 | 0;
  }
  let a = state[0], b = state[1], c = state[2], d = state[3];
  let e = state[4], f = state[5], g = state[6], h = state[7];
  for (let t = 0; t < 64; t++) {
    const sum1 = (e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7);
    const first = h + sum1 + ((e & f) ^ (~e & g)) + constants[t] + schedule[t] | 0;
    const sum0 = (a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10);
    const second = sum0 + ((a & b) ^ (a & c) ^ (b & c)) | 0;
    h = g;
    g = f;
    f = e;
    e = d + first | 0;
    d = c;
    c = b;
    b = a;
    a = first + second | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

function hexOf(words: Int32Array): string {
  let text = "";
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    text += byteDigits[word >>> 24] + byteDigits[word >>> 16 & 255] + byteDigits[word >>> 8 & 255] +
      byteDigits[word & 255];
  }
  return text;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}
