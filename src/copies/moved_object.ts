import type { CopiedObject, CopyTarget } from "../objects/copy.ts";
import { unquoted } from "../objects/listing.ts";
import { findObject, isStoredSince } from "./source_object.ts";

/** What is known of an object that may have been moved. */
export interface ExpectedObject {
  /** When the job of the move was begun, in milliseconds since the epoch: the object is younger. */
  readonly since: number;
  /** In bytes, if it is known. */
  readonly size?: number;
}

/**
 * The object that a move has left at its target, where the answer to that was lost: the source is gone, and what is there is
 * what can be expected.
 */
export async function findMoved(
  target: CopyTarget,
  { since, size: expectedSize }: ExpectedObject,
  signal: AbortSignal,
): Promise<CopiedObject | undefined> {
  const found = await findObject(target, signal);
  if (found === undefined || !isStoredSince(found, since)) return undefined;
  if (expectedSize !== undefined && expectedSize !== found.size) return undefined;
  const { size, versionId, headers } = found;
  const content_type = headers["content-type"] ?? "application/octet-stream";
  return { key: target.key, size, etag: unquoted(found.etag), content_type, version_id: versionId };
}
