import type { BucketScope } from "../backends/bucket_scope.ts";
import { requireKey, requirePrefix } from "../backends/names.ts";
import { listKeyVersions } from "./key_versions.ts";
import { listVersions, type ObjectVersion } from "./version_listing.ts";

/** Versions that are listed at first. */
const maxKeys = 1000;

/**
 * The first versions of an object, or of everything under a prefix, and whether these are all. Throws 400 `invalid_key` and
 * `invalid_prefix`, and as `listVersions` does.
 */
export async function firstVersions(
  scope: BucketScope,
  of: { readonly key: string } | { readonly prefix: string },
  signal: AbortSignal,
) {
  if ("key" in of) requireKey(of.key);
  else requirePrefix(of.prefix);
  const { versions, isTruncated } = "key" in of
    ? await listKeyVersions(scope, { key: of.key, maxKeys }, signal)
    : await listVersions(scope, { prefix: of.prefix, maxKeys }, signal);
  return { versions: versions.map(versionJson), complete: !isTruncated };
}

/** A version as the API shows it. */
export function versionJson(version: ObjectVersion) {
  return {
    key: version.key,
    version_id: version.versionId,
    is_latest: version.isLatest,
    is_delete_marker: version.isDeleteMarker,
    size: version.size,
    etag: version.etag,
    last_modified: version.lastModified.toISOString(),
    storage_class: version.storageClass,
  };
}
