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
      return new TableCrc(crc32cPolynomial, 4);
    case "crc64nvme":
      return new TableCrc(crc64NvmePolynomial, 8);
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

/** A reflected CRC with all bits set at start and inverted at the end, in two halves of 32 bits. */
class TableCrc implements RunningChecksum {
  readonly #highTable: Uint32Array;
  readonly #lowTable: Uint32Array;
  readonly #byteCount: 4 | 8;
  #high: number;
  #low = 0xffffffff;

  constructor(polynomial: readonly [number, number], byteCount: 4 | 8) {
    [this.#highTable, this.#lowTable] = crcTables(polynomial);
    this.#byteCount = byteCount;
    this.#high = byteCount === 8 ? 0xffffffff : 0;
  }

  update(bytes: Uint8Array): void {
    const [highTable, lowTable] = [this.#highTable, this.#lowTable];
    let [high, low] = [this.#high, this.#low];
    for (let position = 0; position < bytes.length; position++) {
      const index = (low ^ bytes[position]) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ lowTable[index];
      high = (high >>> 8) ^ highTable[index];
    }
    [this.#high, this.#low] = [high, low];
  }

  value(): string {
    return toBase64(~this.#high, ~this.#low, this.#byteCount);
  }
}

function crcTables([polynomialHigh, polynomialLow]: readonly [number, number]): [Uint32Array, Uint32Array] {
  const tables: [Uint32Array, Uint32Array] = [new Uint32Array(256), new Uint32Array(256)];
  for (let byte = 0; byte < 256; byte++) {
    let [high, low] = [0, byte];
    for (let bit = 0; bit < 8; bit++) {
      const carry = low & 1;
      low = (low >>> 1) | (high << 31);
      high >>>= 1;
      if (carry === 1) {
        low ^= polynomialLow;
        high ^= polynomialHigh;
      }
    }
    tables[0][byte] = high;
    tables[1][byte] = low;
  }
  return tables;
}

/** The last `byteCount` bytes of a 64-bit number, the most significant first. */
function toBase64(high: number, low: number, byteCount: 4 | 8): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, high >>> 0);
  view.setUint32(4, low >>> 0);
  return new Uint8Array(view.buffer, 8 - byteCount).toBase64();
}
