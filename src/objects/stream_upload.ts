import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
} from "@aws-sdk/client-s3";
import type { Logger } from "../logging/logger.ts";
import { Problem, tooLarge } from "../problem.ts";
import { unquoted } from "./listing.ts";
import {
  makeObject,
  type ObjectDraft,
  putObject,
  type StoredObject,
  type UploadTarget,
  uploadTimeoutMs,
} from "./stored_object.ts";
import { errorMessage } from "../error_message.ts";
import { linkSignal } from "../backends/linked_signal.ts";
import { noteContent } from "./noted_content.ts";
import type { UploadJournal } from "./upload_journal.ts";
import { sendAbort } from "./upload_request.ts";

const mebibyte = 1 << 20;

/** Part sizes, in bytes. Two parts are in memory for each upload: one fills while the other is sent. */
export const minPartBytes = 8 * mebibyte;
const maxPartBytes = 32 * mebibyte;

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const maxParts = 10_000;

/** Time for a backend to put the parts of an upload together, in milliseconds. */
export const completeTimeoutMs = 5 * 60_000;

/** Pauses before each attempt to abort an upload, in milliseconds. */
const abortPausesMs = [0, 100, 400];

/** A part that was sent, as the completion names it. */
export type UploadedPart = CompletedPart & { readonly PartNumber: number };

/** All that was sent of an upload. */
export interface SentParts {
  readonly parts: UploadedPart[];
  /** Of all parts, in bytes. */
  readonly size: number;
  /** Headers of the completion besides its own. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An upload in parts that has begun. */
export interface MultipartUpload {
  readonly target: UploadTarget;
  readonly uploadId: string;
  readonly signal: AbortSignal;
}

/** The size of the parts for at most `bytes` bytes. Throws 413 `too_large` beyond what 10,000 parts can hold. */
export function partSizeFor(bytes: number): number {
  const needed = Math.ceil(bytes / maxParts / mebibyte) * mebibyte;
  if (needed > maxPartBytes) {
    throw tooLarge(`An upload in one request may have ${maxParts * maxPartBytes} bytes at most.`);
  }
  return Math.max(needed, minPartBytes);
}

/** What an upload needs besides its target and its bytes. */
export interface UploadOptions {
  /** Ends the upload when the client goes away. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly journal: UploadJournal;
}

/**
 * Stores a stream whose size need not be known: by one PUT when it fits into one part, else by a multipart upload, whose
 * memory is bounded by two parts. When anything fails, `content` included, nothing is stored and no unfinished upload is
 * left behind.
 */
export async function uploadStream(
  target: UploadTarget,
  content: AsyncIterable<Uint8Array>,
  partSize: number,
  options: UploadOptions,
): Promise<StoredObject> {
  const parts = cutParts(content, partSize);
  try {
    const { value: first = new Uint8Array(0) } = await parts.next();
    const second = await parts.next();
    if (second.done) return await putObject(target, first, options.signal);
    return await uploadInParts(target, options, (upload) => sendParts(upload, first, second.value, parts));
  } finally {
    await parts.return(undefined);
  }
}

/**
 * Stores a stream of known size, at most 5 GiB, that is sent on as it comes. It goes as the only part of a multipart
 * upload: there are servers that store what they got of a PUT that breaks off, but none completes an upload by itself.
 */
export function uploadWhole(
  target: UploadTarget,
  content: AsyncIterable<Uint8Array>,
  size: number,
  options: UploadOptions,
): Promise<StoredObject> {
  return uploadInParts(target, options, async (upload) => ({
    parts: [await sendPart(upload, 1, content, size)],
    size,
  }));
}

/**
 * Runs a multipart upload whose parts `send` sends; aborts it when that fails, which must not be before the last part under
 * way has ended.
 */
export async function uploadInParts(
  target: UploadTarget,
  { signal, logger, journal }: UploadOptions,
  send: (upload: MultipartUpload) => Promise<SentParts>,
): Promise<StoredObject> {
  // An upload whose beginning was broken off could not be aborted, so a client that goes away does not end that.
  const uploadId = await createUpload(target);
  const upload = { target, signal, uploadId };
  const named = { key: target.key, uploadId };
  try {
    journal.begun(target, named);
    const sent = await send(upload);
    const stored = { ...await completeUpload(upload, sent), size: sent.size };
    journal.completed(target, named);
    return stored;
  } catch (error) {
    await abortUpload(upload, logger);
    journal.failed(target, named);
    throw error;
  }
}

/** Cuts a stream into pieces of `size` bytes, the last of which may be shorter. A piece is valid until the second next one. */
async function* cutParts(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array, undefined> {
  let buffer = new Uint8Array(size);
  let spare: typeof buffer | undefined;
  let filled = 0;
  for await (const chunk of content) {
    for (let offset = 0; offset < chunk.length;) {
      const count = Math.min(size - filled, chunk.length - offset);
      buffer.set(chunk.subarray(offset, offset + count), filled);
      offset += count;
      filled += count;
      if (filled < size) continue;
      yield buffer;
      [buffer, spare] = [spare ?? new Uint8Array(size), buffer];
      filled = 0;
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled);
}

async function sendParts(
  upload: MultipartUpload,
  first: Uint8Array,
  second: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): Promise<SentParts> {
  const sent: UploadedPart[] = [];
  let size = first.length;
  let sending = sendPart(upload, 1, first, first.length);
  try {
    for (let next: IteratorResult<Uint8Array> = { value: second }; !next.done; next = await rest.next()) {
      sent.push(await sending);
      if (sent.length === maxParts) throw tooLarge(`The upload needs more than ${maxParts} parts.`);
      size += next.value.length;
      sending = sendPart(upload, sent.length + 1, next.value, next.value.length);
    }
    sent.push(await sending);
  } catch (error) {
    // An abort that overtakes a part would leave that part behind.
    await sending.catch(() => {});
    throw error;
  }
  return { parts: sent, size };
}

/**
 * Sends a part. `signal` breaks it off while bytes are missing; a part that is there as a whole is sent to its end: a backend
 * that has got all of it may store it after the abort of its upload, and the upload with it (versitygw does).
 */
function sendPart(
  { target, uploadId, signal }: MultipartUpload,
  number: number,
  body: AsyncIterable<Uint8Array> | Uint8Array,
  size: number,
): Promise<UploadedPart> {
  const { connection, bucket, key } = target;
  const link = linkSignal(signal);
  const isWhole = body instanceof Uint8Array;
  const sending = connection.send({
    method: "PUT",
    bucket,
    key,
    query: { partNumber: String(number), uploadId },
    headers: { "content-length": String(size) },
    body: isWhole ? body : noteContent(body, (_, received) => received === size && link.unlink()),
    signal: isWhole ? undefined : link.signal,
    timeoutMs: uploadTimeoutMs(size),
  }).then(async (response): Promise<UploadedPart> => {
    await response.body?.cancel();
    return { PartNumber: number, ETag: response.headers.get("etag") ?? "" };
  }).finally(link.unlink);
  // It is awaited only when the next part is there; a failure before that must not count as unhandled.
  sending.catch(() => {});
  return sending;
}

/** Begins a multipart upload and returns its id. */
export async function createUpload(
  { connection, bucket, key, contentType, metadata, headers }: ObjectDraft,
): Promise<string> {
  const command = new CreateMultipartUploadCommand({
    Bucket: bucket,
    Key: key,
    ContentType: contentType,
    Metadata: metadata,
  });
  const { UploadId } = await connection.call((sdk, options) => sdk.send(command, options), { headers });
  if (!UploadId) throw new Problem(502, "backend_error", "The backend began no multipart upload.");
  return UploadId;
}

async function completeUpload(
  { target, uploadId }: MultipartUpload,
  { parts, size, headers }: SentParts,
) {
  const { connection, bucket, key, contentType, ifAbsent } = target;
  const command = new CompleteMultipartUploadCommand({
    Bucket: bucket,
    Key: key,
    UploadId: uploadId,
    MultipartUpload: { Parts: parts },
    IfNoneMatch: ifAbsent ? "*" : undefined,
  });
  // From here on the object may exist, so a client that goes away no longer ends the request.
  const { ETag, VersionId } = await makeObject(
    target,
    async () => {
      const answer = await connection.call((sdk, options) => sdk.send(command, options), {
        headers,
        timeoutMs: completeTimeoutMs + uploadTimeoutMs(size),
      });
      if (answer.ETag) return answer;
      throw new Problem(502, "backend_error", "The backend did not confirm that it has stored the object.");
    },
  );
  return { key, etag: unquoted(ETag), content_type: contentType, version_id: VersionId };
}

/**
 * Removes an upload and its parts. A part that was under way when its sender failed may be stored after the abort, so
 * that is repeated until the upload is gone, as S3's documentation of AbortMultipartUpload advises.
 */
async function abortUpload({ target, uploadId }: MultipartUpload, logger: Logger): Promise<void> {
  const { connection, bucket, key } = target;
  let failure: unknown;
  for (const pauseMs of abortPausesMs) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    try {
      await sendAbort(target, { key, uploadId });
      failure = undefined;
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return;
      failure = error;
    }
  }
  if (failure === undefined) return;
  logger.warn("an unfinished multipart upload could not be aborted", {
    backend: connection.backend.id,
    bucket,
    upload_id: uploadId,
    reason: errorMessage(failure),
  });
}
