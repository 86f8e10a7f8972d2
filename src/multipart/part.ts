import { isOutcomeUnknown } from "../backends/upstream_error.ts";
import { serverKind } from "../backends/server_kind.ts";
import { withTrailingChecksum } from "../checksums/trailing_checksum.ts";
import { uploadedBytes } from "../objects/body.ts";
import { unquoted } from "../objects/listing.ts";
import { noteContent } from "../objects/noted_content.ts";
import { uploadTimeoutMs } from "../objects/stored_object.ts";
import { badRequest, Problem, tooLarge } from "../problem.ts";
import { maxParts, type UploadScope, withUpload } from "./upload.ts";

/** Largest part, in bytes: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const maxPartBytes = 5 * 2 ** 30;

/** Bodies up to this size, in bytes, are sent on once they are complete. */
const maxCollectedBytes = 1 << 20;

/** A part as its upload answers it. */
export interface SentPart {
  readonly part_number: number;
  readonly etag: string;
  /** In bytes. */
  readonly size: number;
}

/** The number of a part, from a path. Throws 400 `bad_request`. */
export function parsePartNumber(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > maxParts) {
    throw badRequest(`The number of a part is from 1 to ${maxParts}.`, { field: "n" });
  }
  return number;
}

/**
 * Stores the body of a request as a part. It needs `Content-Length` (else 411 `length_required`), and its `Content-MD5` is
 * verified by the backend. Nothing is kept of a body that breaks off. Throws 404 `not_found` for an upload that is not there,
 * and 507 `quota_exceeded` before any of the body is read.
 */
export async function storePart(
  upload: UploadScope,
  partNumber: number,
  request: Request,
): Promise<SentPart> {
  const { connection: { backend }, bucket, key, uploadId, ledger } = upload;
  const size = partSize(request);
  const digest = contentDigest(request);
  const reservation = await ledger.reservePart(backend.id, bucket, { key, uploadId, partNumber }, size);
  let received = 0;
  const content = noteContent(uploadedBytes(request.body, size), (_, bytes) => received = bytes);
  try {
    const etag = await withUpload(
      upload,
      () => sendPart(upload, { partNumber, size, digest, content, request }),
    );
    reservation.commit(size);
    return { part_number: partNumber, etag, size };
  } catch (error) {
    // Only of a body that it got whole the backend may have made a part.
    if (received === size && mayBeStored(error)) reservation.keep();
    throw error;
  } finally {
    // Changes nothing once it was committed or kept.
    reservation.release();
  }
}

/** What is sent as a part. */
interface PartContent {
  readonly partNumber: number;
  readonly size: number;
  readonly digest: string | null;
  readonly content: AsyncIterable<Uint8Array>;
  readonly request: Request;
}

async function sendPart(upload: UploadScope, part: PartContent): Promise<string> {
  const { connection, bucket, key, uploadId } = upload;
  const { partNumber, size, digest, request: { signal } } = part;
  const { headers, ...payload } = await payloadOf(upload, part);
  const response = await connection.send({
    method: "PUT",
    bucket,
    key,
    query: { partNumber: String(partNumber), uploadId },
    headers: { ...headers, ...(digest === null ? {} : { "content-md5": digest }) },
    ...payload,
    signal,
    timeoutMs: uploadTimeoutMs(size),
  });
  await response.body?.cancel();
  return unquoted(response.headers.get("etag"));
}

/** The content in a form of which the backend makes no part unless it gets all of it. */
async function payloadOf(upload: UploadScope, { size, digest, content, request }: PartContent) {
  const plain = { "content-length": String(size) };
  if (size <= maxCollectedBytes) return { headers: plain, body: await collect(content, size) };
  if (digest !== null || await serverKind(upload, request.signal) !== "versitygw") {
    return { headers: plain, body: content };
  }
  const { headers, body, payloadHash } = withTrailingChecksum(content, size, "crc32");
  return { headers, body, payloadHash };
}

function partSize(request: Request): number {
  const length = request.headers.get("content-length");
  if (length === null) throw new Problem(411, "length_required", "A part needs a Content-Length.");
  const size = Number(length);
  if (size > maxPartBytes) throw tooLarge(`A part may have ${maxPartBytes} bytes at most.`);
  return size;
}

function contentDigest(request: Request): string | null {
  const digest = request.headers.get("content-md5");
  if (digest === null || /^[A-Za-z0-9+/]{22}==$/.test(digest)) return digest;
  throw badRequest("Content-MD5 is not the MD5 of a content in base64.", { field: "Content-MD5" });
}

async function collect(content: AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  for await (const piece of content) {
    bytes.set(piece, filled);
    filled += piece.length;
  }
  return bytes;
}

/** Whether a backend may have stored what it got whole although this error came of it: a server that failed may have. */
function mayBeStored(error: unknown): boolean {
  if (isOutcomeUnknown(error)) return true;
  const status = error instanceof Problem ? error.detail?.upstream_status : undefined;
  return typeof status === "number" && status >= 500;
}
