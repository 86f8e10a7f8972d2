import { type ChecksumAlgorithm, checksumHeader, startChecksum } from "./checksum.ts";

/*
 * The aws-chunked form without signatures, in which a body ends in the checksum of its content:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 */

/** What a request in this form declares in place of a hash. */
export const trailerPayloadHash = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";

/** Bytes of every chunk but the last. Servers limit it; 16 MiB is the lowest limit known (MinIO). */
const chunkBytes = 1 << 20;

/** Length of a checksum in base64. */
const checksumLengths: Readonly<Record<ChecksumAlgorithm, number>> = {
  crc32: 8,
  crc32c: 8,
  crc64nvme: 12,
  sha1: 28,
  sha256: 44,
};

const encoder = new TextEncoder();
const lineBreak = encoder.encode("\r\n");

/** A body that ends in the checksum of its content, for a request that declares it. */
export interface ChecksummedBody {
  readonly body: AsyncIterable<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
  /** What the request says of its body in place of a hash. */
  readonly payloadHash: string;
  /** The checksum in base64, once all of the body was read. */
  checksum(): string;
}

/** Puts content of `size` bytes into the form in which its checksum follows it. */
export function withTrailingChecksum(
  content: AsyncIterable<Uint8Array>,
  size: number,
  algorithm: ChecksumAlgorithm,
): ChecksummedBody {
  const running = startChecksum(algorithm);
  async function* summed(): AsyncGenerator<Uint8Array, string> {
    for await (const piece of content) {
      running.update(piece);
      yield piece;
    }
    return running.value();
  }
  return {
    body: frameBody(summed(), size, algorithm),
    headers: {
      "content-encoding": "aws-chunked",
      "content-length": String(framedLength(size, algorithm)),
      "x-amz-decoded-content-length": String(size),
      "x-amz-trailer": checksumHeader(algorithm),
    },
    payloadHash: trailerPayloadHash,
    checksum: () => running.value(),
  };
}

/** Bytes that {@link frameBody} makes of `length` bytes. */
export function framedLength(length: number, checksum: ChecksumAlgorithm): number {
  const rest = length % chunkBytes;
  const full = chunkHeader(chunkBytes).length + chunkBytes + 2;
  const last = rest === 0 ? 0 : chunkHeader(rest).length + rest + 2;
  const trailer = checksumHeader(checksum).length + 1 + checksumLengths[checksum];
  return Math.floor(length / chunkBytes) * full + last + "0\r\n".length + trailer + "\r\n\r\n".length;
}

/**
 * Puts `length` bytes of content into chunks, as they come, with a checksum behind them.
 *
 * @param content gives `length` bytes, more is an error, and returns the checksum at its end. When it throws, the last chunk and
 * the trailer never come.
 */
export async function* frameBody(
  content: AsyncGenerator<Uint8Array, string>,
  length: number,
  checksum: ChecksumAlgorithm,
): AsyncGenerator<Uint8Array> {
  let left = length;
  let leftOfChunk = 0;
  try {
    let next = await content.next();
    for (; !next.done; next = await content.next()) {
      for (let piece = next.value; piece.length > 0;) {
        if (leftOfChunk === 0) {
          if (left === 0) throw new RangeError("there is more content than was declared");
          leftOfChunk = Math.min(left, chunkBytes);
          yield encoder.encode(chunkHeader(leftOfChunk));
        }
        const part = piece.subarray(0, leftOfChunk);
        yield part;
        piece = piece.subarray(part.length);
        left -= part.length;
        leftOfChunk -= part.length;
        if (leftOfChunk === 0) yield lineBreak;
      }
    }
    yield encoder.encode(`0\r\n${checksumHeader(checksum)}:${next.value}\r\n\r\n`);
  } finally {
    // Whoever reads no further has no use for the rest.
    await content.return("");
  }
}

function chunkHeader(size: number): string {
  return `${size.toString(16)}\r\n`;
}
