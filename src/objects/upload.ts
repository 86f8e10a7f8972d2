import type { BucketScope } from "../backends/bucket_scope.ts";
import { requireWritableKey } from "../backends/names.ts";
import type { Logger } from "../logging/logger.ts";
import { badRequest, Problem } from "../problem.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import { uploadedBytes } from "./body.ts";
import { type FormPart, readField, readForm } from "./form_data.ts";
import { encodeMetadata, requireContentType } from "./metadata.ts";
import { reserveAsItComes, storeWithinQuota } from "./quota.ts";
import { storageClassField, storageOptionHeaders, type StorageOptions } from "./storage_options.ts";
import { requireAbsence, type StoredObject, type UploadTarget } from "./stored_object.ts";
import type { UploadJournal } from "./upload_journal.ts";
import { minPartBytes, partSizeFor, type UploadOptions, uploadStream, uploadWhole } from "./stream_upload.ts";

const gibibyte = 2 ** 30;

/** Largest part that S3 takes, in bytes. */
const maxPartBytes = 5 * gibibyte;

/** Bounds of the fields in front of a form's file. */
const maxFields = 100;
const maxFieldBytes = 8 * 1024;

const defaultContentType = "application/octet-stream";

/** What the upload functions need besides the request. */
export interface UploadContext {
  readonly scope: BucketScope;
  readonly request: Request;
  readonly ledger: QuotaLedger;
  readonly logger: Logger;
  readonly journal: UploadJournal;
}

/** What the query of an upload may say. */
export interface UploadQuery extends StorageOptions {
  readonly key?: string;
  readonly ifAbsent?: boolean;
}

/**
 * Stores the body of a request as it is. It needs `Content-Length` (else 411 `length_required`). A small body is sent on
 * once it is complete, a larger one as it comes, and one beyond 5 GiB goes in parts. Throws 507 `quota_exceeded` before any
 * of it is read.
 */
export async function uploadRawBody(
  { scope, request, ledger, logger, journal }: UploadContext,
  { key = "", ifAbsent = false, ...storage }: UploadQuery,
): Promise<StoredObject> {
  requireWritableKey(key);
  const size = contentLength(request);
  if (size === undefined) {
    throw new Problem(411, "length_required", "An upload needs a Content-Length, or must be sent as a form.");
  }
  const contentType = request.headers.get("content-type") ?? defaultContentType;
  requireContentType(contentType);
  const headers = storageOptionHeaders(storage);
  const draft = { ...scope, key, contentType, metadata: {}, headers, ifAbsent };
  await requireAbsence(draft, request.signal);
  const options = { signal: request.signal, logger, journal };
  const content = uploadedBytes(request.body, size);
  return await storeWithinQuota(
    { ...scope, key, ledger },
    size,
    (reservation) => uploadOfSize({ ...draft, reservation }, content, size, options),
  );
}

/** Stores content of known size: held whole when it is small, as it comes up to 5 GiB, and in parts beyond. */
function uploadOfSize(
  target: UploadTarget,
  content: AsyncIterable<Uint8Array>,
  size: number,
  options: UploadOptions,
): Promise<StoredObject> {
  if (size > minPartBytes && size <= maxPartBytes) return uploadWhole(target, content, size, options);
  const partSize = Math.min(partSizeFor(size), Math.max(size, 1));
  return uploadStream(target, content, partSize, options);
}

/**
 * Stores the `file` of a form. The fields in front of it say how: `key`, and where wanted `content_type`, `if_absent`,
 * `storage_class`, `metadata[name]` and `tags[name]`. The first but for the type may as well stand in the query, but not with
 * another value. The file is the last field; nothing is stored before the end of the form was seen. Throws 507
 * `quota_exceeded` as soon as it does not fit.
 *
 * @param onKey told the key as soon as it is known
 */
export async function uploadForm(
  { scope, request, ledger, logger, journal }: UploadContext,
  boundary: string,
  query: UploadQuery,
  onKey: (key: string) => void,
): Promise<StoredObject> {
  const parts = readForm(uploadedBytes(request.body), boundary);
  const { fields, file } = await readFields(parts);
  const key = agreed("key", query.key, fields.get("key")) ?? "";
  onKey(key);
  requireWritableKey(key);
  const ifAbsent = agreed("if_absent", query.ifAbsent, flagOf(fields, "if_absent")) ?? false;
  const contentType = fields.get("content_type") || file.contentType || defaultContentType;
  requireContentType(contentType);
  const metadata = encodeMetadata(metadataFields(fields));
  const headers = storageOptionHeaders(storageFields(fields, query));
  const draft = { ...scope, key, contentType, metadata, headers, ifAbsent };
  await requireAbsence(draft, request.signal);
  const partSize = partSizeFor(contentLength(request) ?? 0);
  const options = { signal: request.signal, logger, journal };
  return await storeWithinQuota({ ...scope, key, ledger }, 0, (reservation) => {
    const content = reserveAsItComes(lastContent(file, parts), reservation);
    return uploadStream({ ...draft, reservation }, content, partSize, options);
  });
}

function contentLength(request: Request): number | undefined {
  const value = request.headers.get("content-length");
  return value === null ? undefined : Number(value);
}

async function readFields(parts: AsyncGenerator<FormPart>) {
  const fields = new Map<string, string>();
  for (let count = 0; count <= maxFields; count++) {
    const { done, value: part } = await parts.next();
    if (done) throw badRequest("file: is missing", { field: "file" });
    const { name } = part;
    if (name === "file") return { fields, file: part };
    if (fields.has(name)) throw badRequest(`${name}: stands twice`, { field: name });
    fields.set(name, await readField(part, maxFieldBytes));
  }
  throw badRequest(`The form has more than ${maxFields} fields.`);
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
    if (name === undefined) continue;
    // Names of headers have no case.
    if (metadata.has(name.toLowerCase())) throw badRequest(`${field}: stands twice`, { field });
    metadata.set(name.toLowerCase(), value);
  }
  return metadata;
}

function storageFields(fields: ReadonlyMap<string, string>, query: StorageOptions): StorageOptions {
  const said = fields.get("storage_class") || undefined;
  const { success, error } = storageClassField.optional().safeParse(said);
  if (!success) {
    throw badRequest(`storage_class: ${error.issues[0].message}`, { field: "storage_class" });
  }
  const tags = new Map<string, string>();
  for (const [field, value] of fields) {
    const name = /^tags\[(.+)\]$/s.exec(field)?.[1];
    if (name !== undefined) tags.set(name, value);
  }
  if (tags.size > 0 && query.tags !== undefined) {
    throw badRequest("tags: stand both in the query and in the form", { field: "tags" });
  }
  return { storageClass: agreed("storage_class", query.storageClass, said), tags: query.tags ?? tags };
}

function flagOf(fields: ReadonlyMap<string, string>, name: string): boolean | undefined {
  const value = fields.get(name);
  if (value === undefined) return undefined;
  if (value === "true" || value === "false") return value === "true";
  throw badRequest(`${name}: must be true or false`, { field: name });
}

/** A value that may stand in the query and among the fields. */
function agreed<T>(name: string, inQuery: T | undefined, inForm: T | undefined): T | undefined {
  if (inQuery === undefined || inForm === undefined || inQuery === inForm) return inQuery ?? inForm;
  throw badRequest(`${name}: the query says otherwise than the form`, { field: name });
}
