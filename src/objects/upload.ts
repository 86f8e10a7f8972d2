import type { BucketScope } from "../backends/bucket_scope.ts";
import { requireKey } from "../backends/names.ts";
import { clientGoneProblem } from "../backends/upstream_error.ts";
import type { Logger } from "../logging/logger.ts";
import { badRequest, Problem } from "../problem.ts";
import { type FormPart, readField, readForm } from "./form_data.ts";
import { encodeMetadata, requireContentType } from "./metadata.ts";
import { requireAbsence, type StoredObject } from "./stored_object.ts";
import { minPartBytes, partSizeFor, uploadStream, uploadWhole } from "./stream_upload.ts";

const gibibyte = 2 ** 30;

/** Largest part that S3 takes, in bytes. */
const maxPartBytes = 5 * gibibyte;

/** Bounds of the fields in front of a form's file. */
const maxFields = 100;
const maxFieldBytes = 8 * 1024;

/** Most bytes of a body that are read at once. */
const readBytes = 256 * 1024;

const defaultContentType = "application/octet-stream";

/** What the upload functions need besides the request. */
export interface UploadContext {
  readonly scope: BucketScope;
  readonly request: Request;
  readonly logger: Logger;
}

/**
 * Stores the body of a request as it is. It needs `Content-Length` (else 411 `length_required`). A small body is sent on
 * once it is complete, a larger one passes through untouched, and one beyond 5 GiB goes in parts.
 */
export async function uploadRawBody(
  { scope, request, logger }: UploadContext,
  { key, ifAbsent }: { key: string; ifAbsent: boolean },
): Promise<StoredObject> {
  requireKey(key);
  const size = contentLength(request);
  if (size === undefined) {
    throw new Problem(411, "length_required", "An upload needs a Content-Length, or must be sent as a form.");
  }
  const contentType = request.headers.get("content-type") ?? defaultContentType;
  requireContentType(contentType);
  const target = { ...scope, key, contentType, metadata: {}, ifAbsent };
  await requireAbsence(target, request.signal);
  const options = { signal: request.signal, logger };
  if (request.body !== null && size > minPartBytes && size <= maxPartBytes) {
    return await uploadWhole(target, request.body, size, options);
  }
  const partSize = Math.min(partSizeFor(size), Math.max(size, 1));
  return await uploadStream(target, requestContent(request, size), partSize, options);
}

/**
 * Stores the `file` of a form. The fields in front of it say how: `key`, and where wanted `content_type`, `if_absent` and
 * `metadata[name]`. The file is the last field; nothing is stored before the end of the form was seen.
 *
 * @param onKey told the key as soon as it is known
 */
export async function uploadForm(
  { scope, request, logger }: UploadContext,
  boundary: string,
  onKey: (key: string) => void,
): Promise<StoredObject> {
  const parts = readForm(requestContent(request), boundary);
  const { fields, file } = await readFields(parts);
  const key = fields.get("key") ?? "";
  requireKey(key);
  onKey(key);
  const contentType = fields.get("content_type") || file.contentType || defaultContentType;
  requireContentType(contentType);
  const metadata = encodeMetadata(metadataFields(fields));
  const target = { ...scope, key, contentType, metadata, ifAbsent: isTrue(fields, "if_absent") };
  await requireAbsence(target, request.signal);
  const partSize = partSizeFor(contentLength(request) ?? 0);
  return await uploadStream(target, lastContent(file, parts), partSize, { signal: request.signal, logger });
}

function contentLength(request: Request): number | undefined {
  const value = request.headers.get("content-length");
  return value === null ? undefined : Number(value);
}

/**
 * The body of a request. Each piece is valid only until the next is asked for. Throws when the client goes away before all
 * of it, `size` bytes if that is known, was there.
 */
async function* requestContent({ body }: Request, size?: number): AsyncGenerator<Uint8Array> {
  let received = 0;
  try {
    for await (const piece of body === null ? [] : bodyPieces(body)) {
      received += piece.byteLength;
      yield piece;
    }
  } catch {
    throw clientGoneProblem();
  }
  if (size !== undefined && received !== size) throw clientGoneProblem();
}

/** Reads a body into one buffer, again and again: fresh buffers would pile up faster than they are collected. */
async function* bodyPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = byteReader(body);
  if (reader === null) return yield* body;
  try {
    let buffer = new ArrayBuffer(readBytes);
    while (true) {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done || value === undefined) return;
      yield value;
      buffer = value.buffer;
    }
  } finally {
    await reader.cancel();
  }
}

/** `null` for a body that arrived whole together with its head: the runtime makes no byte stream of that. */
function byteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return null;
  }
}

async function readFields(parts: AsyncGenerator<FormPart>) {
  const fields = new Map<string, string>();
  while (true) {
    const { done, value: part } = await parts.next();
    if (done) throw badRequest("file: is missing", { field: "file" });
    const { name } = part;
    if (name === "file") return { fields, file: part };
    if (!["key", "content_type", "if_absent"].includes(name) && metadataName(name) === undefined) {
      throw badRequest(`${name}: is not a field of an upload`, { field: name });
    }
    if (fields.has(name)) throw badRequest(`${name}: stands twice`, { field: name });
    if (fields.size === maxFields) throw badRequest(`The form has more than ${maxFields} fields.`);
    fields.set(name, await readField(part, maxFieldBytes));
  }
}

async function* lastContent(file: FormPart, parts: AsyncGenerator<FormPart>): AsyncGenerator<Uint8Array> {
  yield* file.content;
  const { done } = await parts.next();
  if (!done) throw badRequest("file: must be the last field", { field: "file" });
}

function metadataName(field: string): string | undefined {
  return /^metadata\[(.+)\]$/.exec(field)?.[1];
}

function metadataFields(fields: ReadonlyMap<string, string>): Map<string, string> {
  const metadata = new Map<string, string>();
  for (const [field, value] of fields) {
    const name = metadataName(field);
    if (name !== undefined) metadata.set(name, value);
  }
  return metadata;
}

function isTrue(fields: ReadonlyMap<string, string>, name: string): boolean {
  const value = fields.get(name) ?? "false";
  if (value !== "true" && value !== "false") {
    throw badRequest(`${name}: is neither true nor false`, { field: name });
  }
  return value === "true";
}
