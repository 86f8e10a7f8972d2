import { createHash, timingSafeEqual } from "node:crypto";
import { emptyHash, sha256Hex } from "./canonical.ts";
import type { HmacKey } from "./hmac_key.ts";

/*
 * The "aws-chunked" content encoding:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html and, with trailing headers,
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 */

/** What the chain of chunk signatures starts from. */
export interface ChunkSigning {
  /** The derived signing key. */
  readonly key: HmacKey;
  /** Time of the request, `YYYYMMDD'T'HHMMSS'Z'`. */
  readonly time: string;
  /** `date/region/service/aws4_request`. */
  readonly scope: string;
  /** Signature of the request's headers. */
  readonly seedSignature: string;
}

/** How a body in chunks is to be read. */
export interface ChunkedOptions {
  /** Given when every chunk (and the trailer) must carry a signature; without it none may. */
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

const maxLineBytes = 4096;
const maxTrailers = 16;
const latin1 = new TextDecoder("latin1");

/**
 * Decodes a body in aws-chunked form. A chunk's signature follows from all of its bytes, so they are passed on before
 * it is known to be right: what was read counts only once the generator has ended. Each piece is valid until the next one is
 * asked for, and never larger than those of `body`.
 *
 * @returns the trailing headers, lower-case name to value, empty without `trailer`
 * @throws ChunkedBodyError also for bytes that follow the end
 */
export async function* decodeChunkedBody(
  body: AsyncIterable<Uint8Array>,
  { signing, trailer }: ChunkedOptions,
): AsyncGenerator<Uint8Array, Map<string, string>> {
  const reader = new ByteReader(body);
  let signature = signing?.seedSignature ?? "";
  while (true) {
    const header = parseChunkHeader(await reader.line(), signing !== undefined);
    const hash = signing && createHash("sha256");
    for (let left = header.size; left > 0;) {
      const bytes = await reader.upTo(left);
      left -= bytes.length;
      hash?.update(bytes);
      yield bytes;
    }
    if (signing && hash) {
      signature = chunkSignature(signing, signature, hash.digest("hex"));
      requireEqual(signature, header.signature, "a chunk");
    }
    if (header.size === 0) break;
    await requireBlankLine(reader, "A chunk is longer than it says.");
  }
  const trailers = trailer ? await readTrailers(reader, signing, signature) : new Map<string, string>();
  if (!trailer) await requireBlankLine(reader, "The last chunk must be empty.");
  await reader.requireEnd();
  return trailers;
}

function parseChunkHeader(line: string, isSigned: boolean): { size: number; signature: string } {
  const match = /^([0-9a-f]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line);
  if (match === null) throw new ChunkedBodyError("InvalidRequest", "The body is not in aws-chunked form.");
  if (isSigned && match[2] === undefined) {
    throw new ChunkedBodyError("SignatureDoesNotMatch", "A chunk has no signature.");
  }
  if (!isSigned && match[2] !== undefined) {
    throw new ChunkedBodyError(
      "InvalidRequest",
      "A chunk has a signature although the body is sent unsigned.",
    );
  }
  return { size: parseInt(match[1], 16), signature: match[2] ?? "" };
}

function chunkSignature(signing: ChunkSigning, previous: string, chunkHash: string): string {
  const text = ["AWS4-HMAC-SHA256-PAYLOAD", signing.time, signing.scope, previous, emptyHash, chunkHash];
  return signing.key.hex(text.join("\n"));
}

/**
 * Reads the trailing headers and the blank line after them. As minio-go ends their lines with a mere LF and puts one blank
 * line too many, in front of the signature or at the end, both are accepted.
 */
async function readTrailers(
  reader: ByteReader,
  signing: ChunkSigning | undefined,
  previous: string,
): Promise<Map<string, string>> {
  const trailers = new Map<string, string>();
  const readLines = async () => {
    for (let line = await reader.line("\n"); line !== ""; line = await reader.line("\n")) {
      const colon = line.indexOf(":");
      const name = line.slice(0, Math.max(0, colon)).toLowerCase();
      if (!/^[a-z0-9-]+$/.test(name) || trailers.has(name) || trailers.size === maxTrailers) {
        throw new ChunkedBodyError("InvalidRequest", "The trailing headers are malformed.");
      }
      trailers.set(name, line.slice(colon + 1).trim());
    }
  };
  await readLines();
  if (signing === undefined) {
    await reader.skip("\r\n");
    return trailers;
  }
  if (!trailers.has(trailerSignature)) await readLines();
  const given = trailers.get(trailerSignature) ?? "";
  trailers.delete(trailerSignature);
  const names = [...trailers.keys()].sort();
  const hash = sha256Hex(names.map((name) => `${name}:${trailers.get(name)}\n`).join(""));
  const text = ["AWS4-HMAC-SHA256-TRAILER", signing.time, signing.scope, previous, hash].join("\n");
  requireEqual(signing.key.hex(text), given, "the trailing headers");
  return trailers;
}

const trailerSignature = "x-amz-trailer-signature";

async function requireBlankLine(reader: ByteReader, message: string): Promise<void> {
  if (await reader.line() !== "") throw new ChunkedBodyError("InvalidRequest", message);
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

  /** The next line without its end, which is CRLF or, where `shortEnd` allows for it, LF. */
  async line(shortEnd?: "\n"): Promise<string> {
    let line = "";
    while (!line.endsWith("\n")) {
      await this.#require();
      const end = this.#buffer.indexOf(0x0a);
      const part = this.#take(Math.min(end < 0 ? this.#buffer.length : end + 1, maxLineBytes));
      line += latin1.decode(part);
      if (line.length >= maxLineBytes) {
        throw new ChunkedBodyError("InvalidRequest", "A line between the chunks is too long.");
      }
    }
    if (line.endsWith("\r\n")) return line.slice(0, -2);
    if (shortEnd !== undefined) return line.slice(0, -1);
    throw new ChunkedBodyError("InvalidRequest", "A chunk header must end in CRLF.");
  }

  /** At least one and at most `count` bytes. */
  async upTo(count: number): Promise<Uint8Array> {
    await this.#require();
    return this.#take(Math.min(count, this.#buffer.length));
  }

  /** Reads `text` if it is what comes next. */
  async skip(text: string): Promise<void> {
    for (let index = 0; index < text.length && await this.#fill(); index++) {
      if (this.#buffer[0] !== text.charCodeAt(index)) return;
      this.#take(1);
    }
  }

  /** Reads to the end, where nothing may be left. */
  async requireEnd(): Promise<void> {
    if (await this.#fill()) {
      throw new ChunkedBodyError("InvalidRequest", "The body goes on after its last chunk.");
    }
  }

  #take(count: number): Uint8Array {
    const bytes = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    return bytes;
  }

  async #require(): Promise<void> {
    if (this.#buffer.length === 0 && !await this.#fill()) {
      throw new ChunkedBodyError("IncompleteBody", "The body ended in the middle of a chunk.");
    }
  }

  /** Whether there are bytes left. */
  async #fill(): Promise<boolean> {
    while (this.#buffer.length === 0) {
      const { done, value } = await this.#source.next();
      if (done) return false;
      this.#buffer = value;
    }
    return true;
  }
}
