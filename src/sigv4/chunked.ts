import { createHash, timingSafeEqual } from "node:crypto";
import { hmacHex, sha256Hex } from "./canonical.ts";

/*
 * The "aws-chunked" content encoding:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html and, with trailing headers,
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 */

/** What the chain of chunk signatures starts from. */
export interface ChunkSigning {
  /** The derived signing key. */
  readonly key: Uint8Array;
  /** Time of the request, `YYYYMMDD'T'HHMMSS'Z'`. */
  readonly time: string;
  /** `date/region/service/aws4_request`. */
  readonly scope: string;
  /** Signature of the request's headers. */
  readonly seedSignature: string;
}

/** How a body in chunks is to be read. */
export interface ChunkedOptions {
  /** Given when every chunk (and the trailer) must carry a signature. */
  readonly signing?: ChunkSigning;
  /** Whether trailing headers follow the last chunk. */
  readonly trailer: boolean;
}

/** A body that is not in valid aws-chunked form, or one of whose signatures is wrong. */
export class ChunkedBodyError extends Error {
  override readonly name = "ChunkedBodyError";
  constructor(readonly code: "InvalidRequest" | "IncompleteBody" | "SignatureDoesNotMatch", message: string) {
    super(message);
  }
}

const maximumLineBytes = 4096;
const maximumTrailers = 32;
const emptyHash = sha256Hex("");

/**
 * Decodes a body in aws-chunked form. A chunk's signature follows from all of its bytes, so they are passed on before
 * it is known to be right: what was read counts only once the generator has ended.
 *
 * @returns the trailing headers, lower-case name to value, empty without `trailer`
 * @throws ChunkedBodyError
 */
export async function* decodeChunkedBody(
  body: AsyncIterable<Uint8Array>,
  options: ChunkedOptions,
): AsyncGenerator<Uint8Array, Map<string, string>> {
  const reader = new ByteReader(body);
  let signature = options.signing?.seedSignature ?? "";
  while (true) {
    const header = parseChunkHeader(await reader.line());
    const hash = createHash("sha256");
    for (let left = header.size; left > 0;) {
      const bytes = await reader.upTo(left);
      left -= bytes.length;
      if (options.signing) hash.update(bytes);
      yield bytes;
    }
    if (options.signing) {
      signature = chunkSignature(options.signing, signature, hash.digest("hex"));
      requireEqual(signature, header.signature, "a chunk");
    }
    if (header.size === 0) break;
    if (await reader.line() !== "") {
      throw new ChunkedBodyError("InvalidRequest", "A chunk is longer than it says.");
    }
  }
  if (!options.trailer) return new Map();
  return await readTrailers(reader, options.signing, signature);
}

function parseChunkHeader(line: string): { size: number; signature: string } {
  const match = /^([0-9a-f]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line);
  if (match === null) throw new ChunkedBodyError("InvalidRequest", "The body is not in aws-chunked form.");
  return { size: parseInt(match[1], 16), signature: match[2] ?? "" };
}

function chunkSignature(signing: ChunkSigning, previous: string, chunkHash: string): string {
  const text = ["AWS4-HMAC-SHA256-PAYLOAD", signing.time, signing.scope, previous, emptyHash, chunkHash];
  return hmacHex(signing.key, text.join("\n"));
}

async function readTrailers(
  reader: ByteReader,
  signing: ChunkSigning | undefined,
  previous: string,
): Promise<Map<string, string>> {
  const trailers = new Map<string, string>();
  for (let line = await reader.line(); line !== ""; line = await reader.line()) {
    const colon = line.indexOf(":");
    if (colon < 1 || trailers.size === maximumTrailers) {
      throw new ChunkedBodyError("InvalidRequest", "The trailing headers are malformed.");
    }
    trailers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  if (signing) {
    const given = trailers.get("x-amz-trailer-signature") ?? "";
    trailers.delete("x-amz-trailer-signature");
    const names = [...trailers.keys()].sort();
    const hash = sha256Hex(names.map((name) => `${name}:${trailers.get(name)}\n`).join(""));
    const text = ["AWS4-HMAC-SHA256-TRAILER", signing.time, signing.scope, previous, hash].join("\n");
    requireEqual(hmacHex(signing.key, text), given, "the trailing headers");
  }
  return trailers;
}

function requireEqual(expected: string, given: string, what: string): void {
  const [a, b] = [expected, given.toLowerCase()].map((text) => new TextEncoder().encode(text));
  if (a.length !== b.length || !timingSafeEqual(a, b)) {
    throw new ChunkedBodyError("SignatureDoesNotMatch", `The signature of ${what} does not match.`);
  }
}

/** Reads lines and runs of bytes from a stream of byte arrays. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #buffer: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The next line without its CRLF. */
  async line(): Promise<string> {
    let line = "";
    while (!line.endsWith("\n")) {
      if (this.#buffer.length === 0) await this.#fill();
      const end = this.#buffer.indexOf(0x0a);
      const part = this.#take(end < 0 ? this.#buffer.length : end + 1);
      line += new TextDecoder("latin1").decode(part);
      if (line.length > maximumLineBytes) {
        throw new ChunkedBodyError("InvalidRequest", "A chunk header is too long.");
      }
    }
    if (!line.endsWith("\r\n")) {
      throw new ChunkedBodyError("InvalidRequest", "A chunk header must end in CRLF.");
    }
    return line.slice(0, -2);
  }

  /** At least one and at most `count` bytes. */
  async upTo(count: number): Promise<Uint8Array> {
    if (this.#buffer.length === 0) await this.#fill();
    return this.#take(Math.min(count, this.#buffer.length));
  }

  #take(count: number): Uint8Array {
    const bytes = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    return bytes;
  }

  async #fill(): Promise<void> {
    while (this.#buffer.length === 0) {
      const { done, value } = await this.#source.next();
      if (done) throw new ChunkedBodyError("IncompleteBody", "The body ended in the middle of a chunk.");
      this.#buffer = value;
    }
  }
}
