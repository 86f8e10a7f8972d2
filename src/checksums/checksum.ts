import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

/*
 * Additional checksums of objects:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html
 */

/** Algorithms that a client may add to an upload, in the form of its header's ending. */
export const checksumAlgorithms = ["crc32", "crc32c", "crc64nvme", "sha1", "sha256"] as const;

/** One of {@link checksumAlgorithms}. */
export type ChecksumAlgorithm = typeof checksumAlgorithms[number];

/** A checksum that was verified. */
export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  /** In base64, as in the header. */
  readonly value: string;
}

/** A checksum under way. */
export interface RunningChecksum {
  update(bytes: Uint8Array): void;
  /** The checksum of all bytes so far, in base64. */
  value(): string;
}

/** Header that carries a checksum of this algorithm. */
export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return `x-amz-checksum-${algorithm}`;
}

/** Begins a checksum. */
export function startChecksum(algorithm: ChecksumAlgorithm): RunningChecksum {
  switch (algorithm) {
    case "crc32":
      return new Crc32();
    case "crc32c":
      return new Crc32c();
    case "crc64nvme":
      return new Crc64Nvme();
    case "sha1":
    case "sha256": {
      const hash = createHash(algorithm);
      return { update: (bytes) => void hash.update(bytes), value: () => hash.copy().digest("base64") };
    }
  }
}

class Crc32 implements RunningChecksum {
  #value = 0;

  update(bytes: Uint8Array): void {
    this.#value = crc32(bytes, this.#value);
  }

  value(): string {
    return toBase64(0, this.#value, 4);
  }
}

/** Reversed polynomial of RFC 3720, appendix B.4, as its high and low half. */
const crc32cPolynomial = [0, 0x82f63b78] as const;
/** Reversed polynomial of the NVM Express NVM command set specification, section 5.2.1.3.4. */
const crc64NvmePolynomial = [0x9a6c9329, 0xac4bc9b5] as const;

/**
 * The high and low halves of 8 tables in a row. Entry `256 * n + byte` tells what `byte` does to a checksum once `n` more
 * bytes came after it, so that 8 bytes are taken in one step.
 */
interface CrcTables {
  readonly high: Int32Array;
  readonly low: Int32Array;
}

const crc32cTables = once(() => crcTables(crc32cPolynomial));
const crc64NvmeTables = once(() => crcTables(crc64NvmePolynomial));

/** A reflected CRC of 64 bits, with all bits set at start and inverted at the end. */
class Crc64Nvme implements RunningChecksum {
  readonly #tables = crc64NvmeTables();
  #high = -1;
  #low = -1;

  update(bytes: Uint8Array): void {
    const { high: highs, low: lows } = this.#tables;
    let [high, low] = [this.#high, this.#low];
    let at = 0;
    for (const end = bytes.length - 7; at < end; at += 8) {
      low ^= wordAt(bytes, at);
      high ^= wordAt(bytes, at + 4);
      const i7 = 1792 + (low & 255), i6 = 1536 + (low >>> 8 & 255);
      const i5 = 1280 + (low >>> 16 & 255), i4 = 1024 + (low >>> 24);
      const i3 = 768 + (high & 255), i2 = 512 + (high >>> 8 & 255);
      const i1 = 256 + (high >>> 16 & 255), i0 = high >>> 24;
      low = lows[i7] ^ lows[i6] ^ lows[i5] ^ lows[i4] ^ lows[i3] ^ lows[i2] ^ lows[i1] ^ lows[i0];
      high = highs[i7] ^ highs[i6] ^ highs[i5] ^ highs[i4] ^ highs[i3] ^ highs[i2] ^ highs[i1] ^ highs[i0];
    }
    for (; at < bytes.length; at++) {
      const index = (low ^ bytes[at]) & 255;
      low = ((low >>> 8) | (high << 24)) ^ lows[index];
      high = (high >>> 8) ^ highs[index];
    }
    [this.#high, this.#low] = [high, low];
  }

  value(): string {
    return toBase64(~this.#high, ~this.#low, 8);
  }
}

/** The same with 32 bits. */
class Crc32c implements RunningChecksum {
  readonly #table = crc32cTables().low;
  #value = -1;

  update(bytes: Uint8Array): void {
    const table = this.#table;
    let value = this.#value;
    let at = 0;
    for (const end = bytes.length - 7; at < end; at += 8) {
      value ^= wordAt(bytes, at);
      const next = wordAt(bytes, at + 4);
      value = table[1792 + (value & 255)] ^ table[1536 + (value >>> 8 & 255)] ^
        table[1280 + (value >>> 16 & 255)] ^ table[1024 + (value >>> 24)] ^
        table[768 + (next & 255)] ^ table[512 + (next >>> 8 & 255)] ^
        table[256 + (next >>> 16 & 255)] ^ table[next >>> 24];
    }
    for (; at < bytes.length; at++) value = (value >>> 8) ^ table[(value ^ bytes[at]) & 255];
    this.#value = value;
  }

  value(): string {
    return toBase64(0, ~this.#value, 4);
  }
}

/** Four bytes, the least significant first. */
function wordAt(bytes: Uint8Array, at: number): number {
  return bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | bytes[at + 3] << 24;
}

function crcTables([polynomialHigh, polynomialLow]: readonly [number, number]): CrcTables {
  const [high, low] = [new Int32Array(8 * 256), new Int32Array(8 * 256)];
  for (let byte = 0; byte < 256; byte++) {
    let [currentHigh, currentLow] = [0, byte];
    for (let bit = 0; bit < 8; bit++) {
      const carry = currentLow & 1;
      currentLow = (currentLow >>> 1) | (currentHigh << 31);
      currentHigh >>>= 1;
      if (carry === 1) {
        currentLow ^= polynomialLow;
        currentHigh ^= polynomialHigh;
      }
    }
    [high[byte], low[byte]] = [currentHigh, currentLow];
  }
  for (let entry = 256; entry < low.length; entry++) {
    const before = entry - 256;
    const index = low[before] & 255;
    low[entry] = ((low[before] >>> 8) | (high[before] << 24)) ^ low[index];
    high[entry] = (high[before] >>> 8) ^ high[index];
  }
  return { high, low };
}

/** Makes a value when it is needed first. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The last `byteCount` bytes of a 64-bit number, the most significant first. */
function toBase64(high: number, low: number, byteCount: 4 | 8): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, high >>> 0);
  view.setUint32(4, low >>> 0);
  return new Uint8Array(view.buffer, 8 - byteCount).toBase64();
}
