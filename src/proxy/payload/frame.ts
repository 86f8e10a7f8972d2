import { type ChecksumAlgorithm, checksumHeader } from "../../checksums/checksum.ts";

/*
 * The aws-chunked form without signatures, as a body goes upstream in it:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 */

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
 * @param content returns the checksum at its end. When it throws, the last chunk and the trailer never come.
 */
export async function* frameBody(
  content: AsyncGenerator<Uint8Array, string>,
  length: number,
  checksum: ChecksumAlgorithm,
): AsyncGenerator<Uint8Array> {
  let left = length;
  let leftOfChunk = 0;
  let value: string;
  while (true) {
    const next = await content.next();
    if (next.done) {
      value = next.value;
      break;
    }
    for (let piece = next.value; piece.length > 0;) {
      if (leftOfChunk === 0) {
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
  yield encoder.encode(`0\r\n${checksumHeader(checksum)}:${value}\r\n\r\n`);
}

const lineBreak = encoder.encode("\r\n");

function chunkHeader(size: number): string {
  return `${size.toString(16)}\r\n`;
}
