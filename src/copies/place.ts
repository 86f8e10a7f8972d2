import type { CopyOptions, CopySource, CopyTarget } from "../objects/copy.ts";
import { badRequest } from "../problem.ts";
import { findObject, isSameObject, type SourceObject } from "./source_object.ts";

/** Whether a copy would be made where its source is, by whatever id the server is registered. */
export function isSamePlace(source: CopySource, target: CopyTarget): boolean {
  return originOf(source) === originOf(target) && hasSameName(source, target);
}

/**
 * Throws 400 `bad_request` for an object that would be copied or moved onto itself. A copy may bring back an old version or
 * change the metadata or the storage class there; a move would delete the only copy.
 */
export function requireOtherPlace(
  source: CopySource,
  target: CopyTarget,
  { move, replace, attributes }: Pick<CopyOptions, "move" | "replace" | "attributes">,
): void {
  if (!isSamePlace(source, target)) return;
  if (move) throw badRequest("An object cannot be moved onto itself.");
  const isChange = source.versionId !== undefined || replace !== undefined ||
    attributes?.keepsMetadata === false || attributes?.storageClass !== undefined;
  if (!isChange) throw badRequest("An object cannot be copied onto itself.");
}

/**
 * {@link requireOtherPlace} for a server that has two addresses. `original` is what was found under the name of the source.
 */
export async function requireOtherObject(
  source: CopySource,
  original: SourceObject,
  target: CopyTarget,
  signal: AbortSignal,
): Promise<void> {
  if (!hasSameName(source, target) || isSamePlace(source, target)) return;
  if (!await hasSource(source, original, target, signal)) return;
  throw badRequest("An object cannot be copied onto itself: both backends are the same server.");
}

/**
 * Whether the target's server has the source, too, and so is that of the source at another address: an object under the
 * name of the source, with its ETag and its time.
 */
export async function hasSource(
  source: CopySource,
  original: SourceObject,
  target: CopyTarget,
  signal: AbortSignal,
): Promise<boolean> {
  if (source.bucket !== target.bucket) return false;
  const found = await findObject({ ...target, key: source.key }, signal);
  return found !== undefined && isSameObject(found, original);
}

function hasSameName(source: CopySource, target: CopyTarget): boolean {
  return source.bucket === target.bucket && source.key === target.key;
}

function originOf({ connection }: CopySource | CopyTarget): string {
  return new URL(connection.backend.endpoint).origin;
}
