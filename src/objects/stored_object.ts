import { bucketExists } from "../backends/bucket_exists.ts";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { isOutcomeUnknown, refusalProblem } from "../backends/upstream_error.ts";
import { conflict, Problem } from "../problem.ts";
import type { Reservation } from "../quotas/reservation.ts";
import { unquoted } from "./listing.ts";
import { metadataHeaders } from "./metadata.ts";

/** The object that an upload is to make of its bytes. */
export interface ObjectDraft extends BucketScope {
  readonly key: string;
  readonly contentType: string;
  /** User metadata as `encodeMetadata` makes it. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Further headers that say how it is stored, with lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether an object that is there already makes the upload fail. */
  readonly ifAbsent: boolean;
}

/** What an upload is to make, and the room for it under the quota of its bucket. */
export interface UploadTarget extends ObjectDraft {
  readonly reservation: Reservation;
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
  const headers = new Headers({
    ...target.headers,
    ...metadataHeaders(target.metadata),
    "content-type": target.contentType,
  });
  headers.set("content-length", String(body.length));
  if (target.ifAbsent) headers.set("if-none-match", "*");
  const send = () =>
    target.connection.send({
      method: "PUT",
      bucket: target.bucket,
      key: target.key,
      headers,
      body,
      signal,
      timeoutMs: uploadTimeoutMs(body.length),
    });
  const response = await makeObject(target, () =>
    send().catch(async (error) => {
      throw await explainLoss(target, error);
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
 * A backend that refuses a body may close the connection before its answer could be read. The likeliest reason is that there
 * is no such bucket.
 */
async function explainLoss({ connection, bucket }: BucketScope, error: unknown): Promise<unknown> {
  if (!(error instanceof Problem) || error.detail?.reason !== "connection_lost") return error;
  const exists = await bucketExists({ connection, bucket }).catch(() => true);
  return exists ? error : refusalProblem({ status: 404, code: "NoSuchBucket" }, error);
}

/**
 * Throws 409 `object_exists` when the target must be absent but is there. Spares the client a useless upload, and holds
 * for servers that do not know conditional writes; against two at once only those that do are safe.
 */
export async function requireAbsence(
  target: Pick<ObjectDraft, "connection" | "bucket" | "key" | "ifAbsent">,
  signal: AbortSignal,
): Promise<void> {
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

/**
 * Runs the write by which an object comes into being. Translates the refusal of a conditional one. Where nobody knows
 * whether the backend has done it, the object counts as stored.
 */
export async function makeObject<T>(
  { ifAbsent, reservation }: Pick<UploadTarget, "ifAbsent" | "reservation">,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isOutcomeUnknown(error)) reservation.keep();
    throw ifAbsent && error instanceof Problem && error.status === 412 ? objectExists() : error;
  }
}

function objectExists(): Problem {
  return conflict("There already is an object with this key.", "object_exists");
}
