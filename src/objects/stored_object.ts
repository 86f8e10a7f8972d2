import type { BucketScope } from "../backends/bucket_scope.ts";
import { conflict, Problem } from "../problem.ts";
import { unquoted } from "./listing.ts";
import { metadataHeaders } from "./metadata.ts";

/** What an upload is to make of its bytes. */
export interface UploadTarget extends BucketScope {
  readonly key: string;
  readonly contentType: string;
  /** User metadata as `encodeMetadata` makes it. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether an object that is there already makes the upload fail. */
  readonly ifAbsent: boolean;
}

/** Least rate of a disk, in bytes a millisecond. */
const slowestDisk = 64 * 1024;

/** An object as an upload answers it. */
export interface StoredObject {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly content_type: string;
  readonly version_id?: string;
}

/**
 * Time for an upload until the backend takes more of it or, once it has all, answers, in milliseconds. Until then a backend
 * may have to move all of it to a slow disk.
 */
export function uploadTimeoutMs(bytes: number): number {
  return 30_000 + bytes / slowestDisk;
}

/** Stores an object by one PUT. Throws 409 `object_exists` when the target must be absent but is not. */
export async function putObject(
  target: UploadTarget,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<StoredObject> {
  const headers = new Headers({ ...metadataHeaders(target.metadata), "content-type": target.contentType });
  headers.set("content-length", String(body.length));
  if (target.ifAbsent) headers.set("if-none-match", "*");
  const response = await objectExistsWhenRefused(target, () =>
    target.connection.send({
      method: "PUT",
      bucket: target.bucket,
      key: target.key,
      headers,
      body,
      signal,
      timeoutMs: uploadTimeoutMs(body.length),
    }));
  await response.body?.cancel();
  return {
    key: target.key,
    size: body.length,
    etag: unquoted(response.headers.get("etag")),
    content_type: target.contentType,
    version_id: response.headers.get("x-amz-version-id") ?? undefined,
  };
}

/**
 * Throws 409 `object_exists` when the target must be absent but is there. Spares the client a useless upload, and holds
 * for servers that do not know conditional writes; against two at once only those that do are safe.
 */
export async function requireAbsence(target: UploadTarget, signal: AbortSignal): Promise<void> {
  if (!target.ifAbsent) return;
  const { connection, bucket, key } = target;
  try {
    await connection.send({ method: "HEAD", bucket, key, signal });
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return;
    throw error;
  }
  throw objectExists();
}

/** Runs a conditional write and translates the backend's refusal of it. */
export async function objectExistsWhenRefused<T>(
  { ifAbsent }: UploadTarget,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw ifAbsent && error instanceof Problem && error.status === 412 ? objectExists() : error;
  }
}

function objectExists(): Problem {
  return conflict("There already is an object with this key.", "object_exists");
}
