import type { BucketScope } from "../backends/bucket_scope.ts";
import { unquoted } from "../objects/listing.ts";
import { conflict } from "../problem.ts";
import type { MadeCopy } from "./object_copy.ts";
import { retried } from "./retry.ts";
import { describe, headObject, type SourceObject } from "./source_object.ts";

/** Whether the answer to the request that made a copy has shown that its content is that of the source. */
export function isProven(original: SourceObject, { stored, layout }: MadeCopy): boolean {
  const etag = unquoted(original.etag);
  return layout === undefined && !original.hasOpaqueEtag && isDigest(etag) && stored.etag === etag;
}

/**
 * Looks at a copy as its backend has it now: whether it is what its source was, as far as size and ETag tell. Throws 409
 * `conflict` when someone else has stored another object there meanwhile.
 */
export async function isFaithful(
  original: SourceObject,
  scope: BucketScope,
  { stored, layout }: MadeCopy,
): Promise<boolean> {
  const { key, version_id: versionId } = stored;
  const headers = await retried(undefined, () => headObject({ ...scope, key, versionId }));
  const found = describe(headers);
  if (unquoted(found.etag) !== stored.etag) {
    throw conflict("Another object was stored in the place of the copy meanwhile.");
  }
  return found.size === original.size && hasExpectedEtag(original, found, layout?.isOfSource === true);
}

/**
 * Whether the ETags of an object and its copy are the same, where that tells something: of objects that were stored at once,
 * and of those that are known to be cut into the same parts.
 */
export function hasExpectedEtag(original: SourceObject, found: SourceObject, hasSameParts = false): boolean {
  if (original.hasOpaqueEtag || found.hasOpaqueEtag) return true;
  const expected = unquoted(original.etag);
  const actual = unquoted(found.etag);
  const isComparable = [expected, actual].every(hasSameParts ? isDigestOfParts : isDigest);
  return !isComparable || expected === actual;
}

function isDigest(etag: string): boolean {
  return /^[0-9a-f]{32}$/.test(etag);
}

function isDigestOfParts(etag: string): boolean {
  return /^[0-9a-f]{32}-\d+$/.test(etag);
}
