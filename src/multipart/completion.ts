import { CompleteMultipartUploadCommand } from "@aws-sdk/client-s3";
import { unquoted } from "../objects/listing.ts";
import { storeUnderOwnName } from "../objects/own_name.ts";
import { makeObject, requireAbsence, uploadTimeoutMs } from "../objects/stored_object.ts";
import { completeTimeoutMs } from "../objects/stream_upload.ts";
import { badRequest, Problem } from "../problem.ts";
import type { Reservation } from "../quotas/reservation.ts";
import { listParts, type StoredPart } from "./part_listing.ts";
import { endUpload, type UploadScope, withUpload } from "./upload.ts";

/** A part as a completion names it. */
export interface NamedPart {
  readonly part_number: number;
  /** With or without its quotes. */
  readonly etag: string;
}

/** An object that was made of parts. */
export interface CompletedObject {
  readonly key: string;
  /** In bytes, as the backend says of the object that it has stored; of the parts where it does not say. */
  readonly size: number;
  readonly etag: string;
  readonly version_id?: string;
}

/** Time for the look at an object that is complete, in milliseconds: its client waits for nothing else. */
const lookTimeoutMs = 10_000;

/**
 * Makes an object of the parts that are named, in ascending order, each with the ETag it was stored with. Throws 400
 * `bad_request` for other parts, 404 `not_found` for an upload that is not there, and 409 `object_exists` where the object
 * must be absent but is not; the upload is as it was then.
 */
export async function completeUpload(
  upload: UploadScope,
  named: readonly NamedPart[],
  { ifAbsent, signal }: { readonly ifAbsent: boolean; readonly signal: AbortSignal },
): Promise<CompletedObject> {
  const { connection: { backend }, bucket, key, uploadId, ledger } = upload;
  requireAscending(named);
  const parts = matchParts(named, (await listParts(upload, {}, signal)).parts);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  await requireAbsence({ ...upload, ifAbsent }, signal);
  const partNumbers = parts.map(({ partNumber }) => partNumber);
  const reservation = await ledger.reserveCompletion(backend.id, bucket, { key, uploadId, partNumbers });
  let isComplete = false;
  let stored: Stored;
  try {
    stored = await storeUnderOwnName(upload, key, async () => {
      const answer = await sendCompletion(upload, { parts, size, ifAbsent, reservation });
      isComplete = true;
      return answer;
    });
    reservation.commit(size);
  } finally {
    // Changes nothing once it was committed or kept.
    reservation.release();
    if (isComplete) endUpload(upload);
  }
  return { key, size: await storedSize(upload, stored) ?? size, ...stored };
}

/** What the backend says of an object that it has made of parts. */
type Stored = Pick<CompletedObject, "etag" | "version_id">;

/**
 * The size of what the backend has stored, so that a client that compares it with its file learns of a loss. `undefined`
 * where nobody can tell: the look failed, which undoes nothing of what the backend has confirmed, or found another object
 * that has taken the key since.
 */
async function storedSize(
  { connection, bucket, key }: UploadScope,
  { etag, version_id: versionId }: Stored,
): Promise<number | undefined> {
  try {
    const look = { method: "HEAD", bucket, key, query: { versionId }, timeoutMs: lookTimeoutMs } as const;
    const { headers } = await connection.send(look);
    const length = headers.get("content-length");
    return length === null || unquoted(headers.get("etag")) !== etag ? undefined : Number(length);
  } catch {
    return undefined;
  }
}

/** What is asked of the backend. */
interface Completion {
  readonly parts: readonly StoredPart[];
  /** Of the object, in bytes. */
  readonly size: number;
  readonly ifAbsent: boolean;
  readonly reservation: Reservation;
}

async function sendCompletion(
  upload: UploadScope,
  { parts, size, ifAbsent, reservation }: Completion,
): Promise<Stored> {
  const { connection, bucket, key, uploadId } = upload;
  const command = new CompleteMultipartUploadCommand({
    Bucket: bucket,
    Key: key,
    UploadId: uploadId,
    MultipartUpload: {
      Parts: parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: `"${etag}"` })),
    },
    IfNoneMatch: ifAbsent ? "*" : undefined,
  });
  return await makeObject({ ifAbsent, reservation }, async () => {
    // The object may exist from here on, so a client that goes away does not end the request.
    const { ETag, VersionId } = await withUpload(
      upload,
      () =>
        connection.call((sdk, options) => sdk.send(command, options), {
          timeoutMs: completeTimeoutMs + uploadTimeoutMs(size),
        }),
    );
    if (ETag) return { etag: unquoted(ETag), version_id: VersionId };
    throw new Problem(502, "backend_error", "The backend did not confirm that it has stored the object.");
  });
}

function requireAscending(named: readonly NamedPart[]): void {
  named.forEach(({ part_number: number }, index) => {
    const before = named[index - 1]?.part_number ?? 0;
    if (number === before) throw badPart(number, "stands twice");
    if (number < before) throw badPart(number, "is not in ascending order");
  });
}

function matchParts(named: readonly NamedPart[], stored: readonly StoredPart[]): StoredPart[] {
  const byNumber = new Map(stored.map((part) => [part.partNumber, part]));
  return named.map(({ part_number: number, etag }) => {
    const part = byNumber.get(number);
    if (part === undefined) throw badPart(number, "was not uploaded");
    if (part.etag !== unquoted(etag)) throw badPart(number, "was stored with another ETag");
    return part;
  });
}

function badPart(number: number, fault: string): Problem {
  return badRequest(`Part ${number} ${fault}.`, { part_number: number });
}
