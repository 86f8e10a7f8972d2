import { badRequest, Problem } from "../problem.ts";
import type { CopyOptions, CopySource, CopyTarget } from "./copy.ts";
import { describe, headObject, type SourceObject } from "./source_object.ts";

/** Whether a copy would be made where its source is, by whatever id the server is registered. */
export function isSamePlace(source: CopySource, target: CopyTarget): boolean {
  return originOf(source) === originOf(target) && hasSameName(source, target);
}

/**
 * Throws 400 `bad_request` for an object that would be copied or moved onto itself. A copy may bring back an old version or
 * change the metadata there; a move would delete the only copy.
 */
export function requireOtherPlace(
  source: CopySource,
  target: CopyTarget,
  options: Pick<CopyOptions, "move" | "replace">,
): void {
  if (!isSamePlace(source, target)) return;
  if (options.move) throw badRequest("An object cannot be moved onto itself.");
  const isChange = source.versionId !== undefined || options.replace !== undefined;
  if (!isChange) throw badRequest("An object cannot be copied onto itself.");
}

/**
 * {@link requireOtherPlace} for a server that has two addresses: what is there under the name of the source, with its ETag
 * and its time, is the source.
 */
export async function requireOtherObject(
  source: CopySource,
  original: SourceObject,
  target: CopyTarget,
  signal: AbortSignal,
): Promise<void> {
  if (!hasSameName(source, target) || isSamePlace(source, target)) return;
  let found: SourceObject;
  try {
    found = describe(await headObject(target, signal));
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return;
    throw error;
  }
  const isSame = found.etag === original.etag && found.lastModified === original.lastModified &&
    found.versionId === original.versionId;
  if (isSame) throw badRequest("An object cannot be copied onto itself: both backends are the same server.");
}

function hasSameName(source: CopySource, target: CopyTarget): boolean {
  return source.bucket === target.bucket && source.key === target.key;
}

function originOf({ connection }: CopySource | CopyTarget): string {
  return new URL(connection.backend.endpoint).origin;
}
