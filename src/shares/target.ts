import { requireBucket } from "../backends/bucket_exists.ts";
import { type BucketScope, findBucket } from "../backends/bucket_scope.ts";
import { mapPool } from "../backends/map_pool.ts";
import { hasDotSegment, requireKey, requireWritableKey } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { listObjects } from "../objects/listing.ts";
import { badRequest, notFound, Problem } from "../problem.ts";
import { makeSelection } from "../zip/selection.ts";
import type { ShareRequest } from "./service.ts";

/** What a share is to point at. */
export interface ShareTarget {
  readonly key: string;
  /** What is selected; empty unless that is what is shared. */
  readonly keys: readonly string[];
}

/** Requests for the objects of a selection that are under way at once. */
const lookups = 16;

/** Longest prefix that files are sent to, in bytes: it leaves room for their names in the 1,024 of a key. */
const maxUploadPrefixBytes = 700;

/**
 * What a request is to share: throws unless that is there, or may be written for uploads. 400 `bad_request`, `invalid_key`,
 * `invalid_bucket_name`, 404 `not_found`, and what the backend refuses with.
 */
export async function requireTarget(
  registry: BackendRegistry,
  request: ShareRequest,
  signal: AbortSignal,
): Promise<ShareTarget> {
  const { kind, backendId, bucket, key, versionId } = request;
  const scope = findBucket(registry, backendId, bucket);
  if (versionId !== undefined && kind !== "object") {
    throw badRequest("version_id: a folder has none", { field: "version_id" });
  }
  switch (kind) {
    case "upload":
      requireUploadPrefix(key);
      await requireBucket(scope);
      return { key, keys: [] };
    case "selection":
      return await requireSelection(scope, request.keys, signal);
    case "folder":
      requireKey(key);
      await requireFolder(scope, key, signal);
      return { key, keys: [] };
    case "object":
      requireKey(key);
      await scope.connection.send({ method: "HEAD", bucket, key, query: { versionId }, signal });
      return { key, keys: [] };
  }
}

function requireUploadPrefix(prefix: string): void {
  if (prefix === "") return;
  if (!prefix.endsWith("/")) {
    throw badRequest("key: must be a folder, with a slash at its end", { field: "key" });
  }
  requireWritableKey(`${prefix}file`);
  if (new TextEncoder().encode(prefix).length > maxUploadPrefixBytes) {
    throw new Problem(
      400,
      "invalid_key",
      `A folder that takes files must not be longer than ${maxUploadPrefixBytes} bytes of UTF-8.`,
    );
  }
}

async function requireSelection(
  scope: BucketScope,
  selected: readonly string[],
  signal: AbortSignal,
): Promise<ShareTarget> {
  // Recipients ask for them by paths, in which such segments are refused.
  const climbing = selected.find(hasDotSegment);
  if (climbing !== undefined) {
    throw new Problem(400, "invalid_key", 'A selection must not hold a key with a segment "." or "..".');
  }
  const isPrefix = (key: string) => key.endsWith("/");
  const { keys, prefixes, folder } = makeSelection(
    selected.filter((key) => !isPrefix(key)),
    selected.filter(isPrefix),
  );
  const all = [...keys, ...prefixes];
  await mapPool(all, lookups, signal, async (key, signal) => {
    try {
      if (isPrefix(key)) await requireFolder(scope, key, signal);
      else await scope.connection.send({ method: "HEAD", bucket: scope.bucket, key, signal });
    } catch (error) {
      if (error instanceof Problem && error.status === 404) throw notFound(`There is no ${key}.`);
      throw error;
    }
  });
  return { key: folder, keys: all };
}

async function requireFolder(scope: BucketScope, prefix: string, signal: AbortSignal): Promise<void> {
  requireKey(prefix);
  const found = await listObjects(scope, { prefix, delimiter: "", maxKeys: 1 }, signal);
  if (found.objects.length === 0) throw notFound("There is no such folder.");
}
