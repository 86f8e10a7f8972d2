import type { BucketScope } from "../backends/bucket_scope.ts";
import { isDeleteMarker } from "../backends/upstream_error.ts";
import { badRequest, Problem } from "../problem.ts";
import type { CopiedObject, CopyObject } from "./copy.ts";
import { unquoted } from "./listing.ts";

/** A version of an object that is to be the latest one. */
export interface RestoredVersion {
  readonly key: string;
  readonly versionId: string;
}

/** What {@link restoreVersion} did. */
export interface RestoreResult {
  readonly object: CopiedObject;
  /** Whether there is a new version; the one that is the latest already stays as it is. */
  readonly isNew: boolean;
}

/**
 * Makes a version the latest one again, by a copy of it with its metadata and tags. Throws 404 `not_found` for no such
 * version, 400 `bad_request` for a delete marker, which has nothing to be copied.
 */
export async function restoreVersion(
  scope: BucketScope,
  { key, versionId }: RestoredVersion,
  copy: CopyObject,
  signal: AbortSignal,
): Promise<RestoreResult> {
  const latest = await findLatest(scope, key, signal);
  if (latest?.version_id === versionId) return { object: latest, isNew: false };
  try {
    const target = { ...scope, key };
    const object = await copy({ ...target, versionId }, target, { ifAbsent: false, move: false, signal });
    return { object, isNew: true };
  } catch (error) {
    throw isDeleteMarker(error)
      ? badRequest("A delete marker cannot be restored: delete it instead.")
      : error;
  }
}

async function findLatest(
  { connection, bucket }: BucketScope,
  key: string,
  signal: AbortSignal,
): Promise<CopiedObject | undefined> {
  try {
    const { headers } = await connection.send({ method: "HEAD", bucket, key, signal });
    return {
      key,
      size: Number(headers.get("content-length")),
      etag: unquoted(headers.get("etag")),
      content_type: headers.get("content-type") ?? "application/octet-stream",
      version_id: headers.get("x-amz-version-id") ?? "null",
    };
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}
