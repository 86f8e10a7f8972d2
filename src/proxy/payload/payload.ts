import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { type ChecksumAlgorithm, checksumHeader, startChecksum } from "../../checksums/checksum.ts";
import { frameBody, framedLength, trailerPayloadHash } from "../../checksums/trailing_checksum.ts";
import { emptyHash, sha256Hex } from "../../sigv4/canonical.ts";
import { ChunkedBodyError, decodeChunkedBody } from "../../sigv4/chunked.ts";
import { unsignedPayload } from "../../sigv4/sign.ts";
import { lengthMismatch, type PayloadDeclaration } from "./mode.ts";
import { S3Error } from "../s3_error.ts";

/** A body as the listener reads it: each piece is valid only until the next one is asked for. */
export type IncomingBody = AsyncIterable<Uint8Array>;

/** A body in the form in which it goes upstream. */
export interface PreparedPayload {
  /** Bytes of `body`: what its `content-length` must say. */
  readonly length: number;
  /** Pieces are each valid until the next is asked for. Throws {@link S3Error} in place of the last one for a wrong body. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Headers that have to be added, lower-case. They replace those of the same name. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /**
   * What the request to the upstream has to declare as `x-amz-content-sha256`. With a hash, or the trailer's framing, an
   * upstream stores nothing of a body that is broken off.
   */
  readonly payloadHash: string;
}

/** Bodies up to this size, in bytes, are collected and verified before anything is sent upstream. */
export const maxCollectedBytes = 64 * 1024;

const empty = new Uint8Array(0);

/**
 * Brings a body into the form in which it goes upstream: what was declared of it is verified, and the framing of aws-chunked
 * is taken away.
 *
 * Small bodies are read here. Larger ones stream, and since some servers make an object or a part of what they got when a plain
 * body is broken off (versitygw does), they go so that the upstream itself can tell an incomplete one: with the hash or digest that
 * the client has declared, or in aws-chunked form with a checksum behind it. That form also is the only one in which a
 * checksum from a trailer can be stored, which parts of a multipart upload may need.
 *
 * @param keepsCutOff whether the upstream would make an object of what it got of a plain body that is broken off
 * @throws S3Error when a small body is not what was declared
 */
export async function preparePayload(
  declaration: PayloadDeclaration,
  body: IncomingBody,
  keepsCutOff: boolean,
): Promise<PreparedPayload> {
  const { mode, length, trailer, hasDigest } = declaration;
  const payloadHash = mode.kind === "exact" ? mode.sha256 : unsignedPayload;
  if (length <= maxCollectedBytes) {
    const { bytes, checksum } = await collect(declaration, body);
    const headers = trailer === undefined ? [] : [[checksumHeader(trailer), checksum] as const];
    return { length, body: bytes, headers, payloadHash };
  }
  if (trailer !== undefined || (keepsCutOff && !hasDigest && mode.kind !== "exact")) {
    return frame(declaration, body, trailer ?? "crc32");
  }
  if (mode.kind === "unsigned") return { length, body, headers: [], payloadHash };
  const content = readContent(declaration, body);
  return {
    length,
    body: mode.kind === "exact" ? content : withholdLast(content, length),
    headers: [],
    payloadHash,
  };
}

/** Reads a body whole and verifies it; that its length is one to be held in memory is for the caller to see. */
export async function collect(
  declaration: PayloadDeclaration,
  body: IncomingBody,
): Promise<{ bytes: Uint8Array; checksum: string }> {
  const { mode, length } = declaration;
  if (mode.kind === "chunked") {
    const content = readContent(declaration, body, declaration.trailer);
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    while (true) {
      const { done, value } = await content.next();
      if (done) return { bytes, checksum: value };
      bytes.set(value, filled);
      filled += value.length;
    }
  }
  const bytes = length === 0 ? empty : await collectPlain(body, length);
  if (mode.kind === "exact") {
    requireHash(length === 0 ? emptyHash : sha256Hex(bytes), mode.sha256);
  }
  return { bytes, checksum: "" };
}

async function collectPlain(body: IncomingBody, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  for await (const piece of body) {
    if (filled + piece.length > length) throw lengthMismatch();
    bytes.set(piece, filled);
    filled += piece.length;
  }
  if (filled < length) throw lengthMismatch();
  return bytes;
}

function frame(
  declaration: PayloadDeclaration,
  body: IncomingBody,
  checksum: ChecksumAlgorithm,
): PreparedPayload {
  return {
    length: framedLength(declaration.length, checksum),
    body: frameBody(readContent(declaration, body, checksum), declaration.length, checksum),
    headers: [
      ["x-amz-decoded-content-length", String(declaration.length)],
      ["x-amz-trailer", checksumHeader(checksum)],
    ],
    payloadHash: trailerPayloadHash,
  };
}

/**
 * The content of a body, verified: it throws {@link S3Error} instead of coming to its end. A hash is known to be right
 * before the last piece is given, the rest only at the end.
 *
 * @param checksum what to compute on the way; compared with the trailer, where one is declared
 * @returns that checksum, or an empty text
 */
async function* readContent(
  { mode, length, trailer }: PayloadDeclaration,
  body: IncomingBody,
  checksum?: ChecksumAlgorithm,
): AsyncGenerator<Uint8Array, string> {
  const running = checksum && startChecksum(checksum);
  const hash = mode.kind === "exact" ? createHash("sha256") : undefined;
  const chunks = mode.kind === "chunked" ? decodeChunkedBody(body, mode) : withoutTrailers(body);
  let trailers: ReadonlyMap<string, string>;
  let size = 0;
  while (true) {
    const { done, value } = await chunks.next().catch(throwS3Error);
    if (done) {
      trailers = value;
      break;
    }
    size += value.length;
    if (size > length) throw lengthMismatch();
    running?.update(value);
    hash?.update(value);
    if (hash !== undefined && mode.kind === "exact" && size === length) {
      requireHash(hash.digest("hex"), mode.sha256);
    }
    yield value;
  }
  if (size < length) throw lengthMismatch();
  const value = running?.value() ?? "";
  if (trailer !== undefined) requireTrailer(trailers, trailer, value);
  return value;
}

const noTrailers: ReadonlyMap<string, string> = new Map();

async function* withoutTrailers(body: IncomingBody): AsyncGenerator<Uint8Array, ReadonlyMap<string, string>> {
  yield* body;
  return noTrailers;
}

/** Gives the piece with the last of `length` bytes only when `content` has ended well. */
async function* withholdLast(content: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  let last: Uint8Array | undefined;
  for await (const piece of content) {
    size += piece.length;
    if (size < length) yield piece;
    else last = piece.slice();
  }
  if (last !== undefined) yield last;
}

function requireHash(actual: string, declared: string): void {
  if (actual === declared) return;
  throw new S3Error(
    "XAmzContentSHA256Mismatch",
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
    { reason: "payload_hash" },
  );
}

function requireTrailer(
  trailers: ReadonlyMap<string, string>,
  algorithm: ChecksumAlgorithm,
  actual: string,
): void {
  const name = checksumHeader(algorithm);
  const declared = trailers.get(name);
  if (declared === undefined || trailers.size > 1) {
    throw new S3Error("InvalidRequest", "The trailing headers are not those that x-amz-trailer names.");
  }
  if (declared !== actual) {
    throw new S3Error(
      "BadDigest",
      `The ${algorithm.toUpperCase()} you specified did not match the calculated checksum.`,
      { reason: "checksum" },
    );
  }
}

function throwS3Error(error: unknown): never {
  if (!(error instanceof ChunkedBodyError)) throw error;
  const isForged = error.code === "SignatureDoesNotMatch";
  throw new S3Error(
    error.code,
    error.message,
    isForged ? { result: "auth_failure", reason: "chunk_signature" } : {},
  );
}
