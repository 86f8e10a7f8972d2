import { type ChecksumAlgorithm, checksumHeader, startChecksum } from "../checksums/checksum.ts";

/** Length of one chunk of a body, in bytes: servers take 16 MiB at most. */
const chunkBytes = 1 << 20;

/** Length of a checksum in base64, in characters. */
const checksumLength: Readonly<Record<ChecksumAlgorithm, number>> = {
  crc32: 8,
  crc32c: 8,
  crc64nvme: 12,
  sha1: 28,
  sha256: 44,
};

/** A body that ends in the checksum of its content, for a request that declares it. */
export interface ChecksummedBody {
  readonly body: AsyncIterable<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
  /** What the request says of its body in place of a hash. */
  readonly payloadHash: string;
  /** The checksum in base64, once all of the body was read. */
  checksum(): string;
}

/**
 * Puts content of `size` bytes into the form in which its checksum follows it, since that is known only then:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 */
export function withTrailingChecksum(
  content: AsyncIterable<Uint8Array>,
  size: number,
  algorithm: ChecksumAlgorithm,
): ChecksummedBody {
  const name = checksumHeader(algorithm);
  const running = startChecksum(algorithm);
  const trailer = () => `0\r\n${name}:${running.value()}\r\n\r\n`;
  async function* body(): AsyncGenerator<Uint8Array> {
    for await (const piece of cutIntoChunks(content, size)) {
      if (typeof piece === "string") yield new TextEncoder().encode(piece);
      else {
        running.update(piece);
        yield piece;
      }
    }
    yield new TextEncoder().encode(trailer());
  }
  const trailerLength = `0\r\n${name}:\r\n\r\n`.length + checksumLength[algorithm];
  return {
    body: body(),
    headers: {
      "content-encoding": "aws-chunked",
      "content-length": String(framedLength(size) + trailerLength),
      "x-amz-decoded-content-length": String(size),
      "x-amz-trailer": name,
    },
    payloadHash: "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    checksum: () => running.value(),
  };
}

/** The content, and the text in front of and behind each chunk of it. A chunk is passed on in the pieces that come. */
async function* cutIntoChunks(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array | string> {
  let sent = 0;
  for await (const piece of content) {
    for (let offset = 0; offset < piece.length;) {
      const inChunk = sent % chunkBytes;
      if (inChunk === 0) yield chunkHead(Math.min(chunkBytes, size - sent));
      const count = Math.min(piece.length - offset, chunkBytes - inChunk);
      yield piece.subarray(offset, offset + count);
      offset += count;
      sent += count;
      if (sent % chunkBytes === 0 || sent === size) yield "\r\n";
    }
  }
}

function framedLength(size: number): number {
  let length = 0;
  const rest = size % chunkBytes;
  if (size > rest) length += (size - rest) / chunkBytes * framedChunkLength(chunkBytes);
  if (rest > 0) length += framedChunkLength(rest);
  return length;
}

function framedChunkLength(size: number): number {
  return chunkHead(size).length + size + "\r\n".length;
}

function chunkHead(size: number): string {
  return `${size.toString(16)}\r\n`;
}
