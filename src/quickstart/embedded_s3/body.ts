import { Buffer } from "node:buffer";
import { createHash, type Hash } from "node:crypto";
import { ChunkedBodyError, decodeChunkedBody } from "../../sigv4/chunked.ts";
import {
  type Checksum,
  checksumAlgorithms,
  checksumHeader,
  type RunningChecksum,
  startChecksum,
} from "../../checksums/checksum.ts";
import { S3Error } from "./s3_error.ts";
import type { S3Request } from "./s3_request.ts";

/** What is known of a body once it was read to its end and everything the client said of it held. */
export interface BodyFacts {
  /** Bytes. */
  readonly size: number;
  /** MD5 in hexadecimal. */
  readonly md5: string;
  readonly checksum?: Checksum;
}

/** Takes the next bytes of a body; the one after them is read when it is done. */
export type Sink = (bytes: Uint8Array) => Promise<void> | void;

/** Largest body of one request, in bytes: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const maximumUploadBytes = 5 * 1024 ** 3;
const maximumDocumentBytes = 4 * 1024 ** 2;

const streamingPayloads: Record<string, { signed: boolean; trailer: boolean }> = {
  "STREAMING-AWS4-HMAC-SHA256-PAYLOAD": { signed: true, trailer: false },
  "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER": { signed: true, trailer: true },
  "STREAMING-UNSIGNED-PAYLOAD-TRAILER": { signed: false, trailer: true },
};

/**
 * Passes a request's body to `sink`, decoded, and verifies it against its declared length, `x-amz-content-sha256`,
 * `Content-MD5` and checksum header or trailer. Whatever `sink` got must be thrown away when this throws an S3Error.
 */
export async function receiveBody(request: S3Request, sink: Sink): Promise<BodyFacts> {
  const { headers, verified } = request;
  const streaming = streamingPayloads[verified.payload];
  const expectedSize = declaredSize(headers, streaming !== undefined);
  const declared = declaredChecksum(headers);
  const md5 = createHash("md5");
  const sha256 = payloadHash(verified.payload, streaming !== undefined);
  const running = declared === undefined ? undefined : startChecksum(declared.algorithm);
  let size = 0;
  const trailers = await readChunks(request, streaming, async (bytes) => {
    size += bytes.length;
    if (size > expectedSize) {
      throw new S3Error("InvalidRequest", "The body is longer than it was said to be.");
    }
    md5.update(bytes);
    sha256?.update(bytes);
    running?.update(bytes);
    await sink(bytes);
  });
  if (size < expectedSize) throw new S3Error("IncompleteBody");
  if (sha256 && sha256.digest("hex") !== verified.payload) throw new S3Error("XAmzContentSHA256Mismatch");
  const digest = md5.digest();
  requireMd5(headers, digest);
  const checksum = declared && running ? requireChecksum(declared, running, trailers) : undefined;
  return { size, md5: digest.toString("hex"), checksum };
}

/** Reads a request's body whole, as text; for the XML documents that requests carry. */
export async function receiveText(request: S3Request): Promise<string> {
  if (declaredSize(request.headers, request.verified.payload in streamingPayloads) > maximumDocumentBytes) {
    throw new S3Error("MaxMessageLengthExceeded");
  }
  const chunks: Uint8Array[] = [];
  await receiveBody(request, (bytes) => void chunks.push(bytes));
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function declaredSize(headers: Headers, streaming: boolean): number {
  const text = headers.get(streaming ? "x-amz-decoded-content-length" : "content-length");
  if (text === null) throw new S3Error("MissingContentLength");
  const size = Number(text);
  if (!/^\d{1,16}$/.test(text)) {
    throw new S3Error("InvalidArgument", "The length has to be a number of bytes.");
  }
  if (size > maximumUploadBytes) throw new S3Error("EntityTooLarge");
  return size;
}

function payloadHash(payload: string, streaming: boolean): Hash | undefined {
  if (streaming || payload === "UNSIGNED-PAYLOAD") return undefined;
  if (/^[0-9a-f]{64}$/.test(payload)) return createHash("sha256");
  throw new S3Error("InvalidArgument", "x-amz-content-sha256 is none of the values it can have.");
}

/** Returns the trailing headers. */
async function readChunks(
  request: S3Request,
  streaming: { signed: boolean; trailer: boolean } | undefined,
  sink: Sink,
): Promise<Map<string, string>> {
  const body = uncut(request.body);
  if (streaming === undefined) {
    for await (const bytes of body) await sink(bytes);
    return new Map();
  }
  const signing = streaming.signed ? request.verified.chunkSigning : undefined;
  const chunks = decodeChunkedBody(body, { signing, trailer: streaming.trailer });
  try {
    while (true) {
      const { done, value } = await chunks.next();
      if (done) return value;
      await sink(value);
    }
  } catch (error) {
    throw error instanceof ChunkedBodyError ? new S3Error(error.code, error.message) : error;
  }
}

/** The body, with an error of S3's for a connection that ends in the middle of it. */
async function* uncut(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    while (true) {
      const { done, value } = await reader.read().catch(() => {
        throw new S3Error("IncompleteBody");
      });
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

function requireMd5(headers: Headers, digest: Buffer): void {
  const text = headers.get("content-md5");
  if (text === null) return;
  const declared = Buffer.from(text, "base64");
  if (declared.length !== digest.length) throw new S3Error("InvalidDigest");
  if (!declared.equals(digest)) throw new S3Error("BadDigest");
}

/** A checksum that the client sends before the body or, when `value` is absent, after it. */
type DeclaredChecksum = Pick<Checksum, "algorithm"> & { value?: string };

function declaredChecksum(headers: Headers): DeclaredChecksum | undefined {
  const trailer = headers.get("x-amz-trailer")?.trim().toLowerCase();
  for (const algorithm of checksumAlgorithms) {
    const header = checksumHeader(algorithm);
    const value = headers.get(header);
    if (value !== null) return { algorithm, value };
    if (trailer === header) return { algorithm };
  }
  if (trailer) throw new S3Error("InvalidRequest", `The trailing header ${trailer} is not supported.`);
  return undefined;
}

function requireChecksum(
  { algorithm, value: inHeader }: DeclaredChecksum,
  running: RunningChecksum,
  trailers: ReadonlyMap<string, string>,
): Checksum {
  const declared = inHeader ?? trailers.get(checksumHeader(algorithm));
  const value = running.value();
  if (declared !== value) {
    throw new S3Error("BadDigest", `The ${algorithm} you specified did not match the calculated checksum.`);
  }
  return { algorithm, value };
}
