import type { BucketScope } from "../backends/bucket_scope.ts";
import { listVersions, type VersionPage } from "./version_listing.ts";

/** Which page of a key's versions is asked for. */
export interface KeyVersionQuery {
  readonly key: string;
  /** Where an earlier page ended: its `nextVersionIdMarker`. */
  readonly versionIdMarker?: string;
  /** 1 to 1,000. */
  readonly maxKeys: number;
}

/** Lists one page of the versions of one key, deleted or not; none for a key that never was. Throws as `listVersions`. */
export async function listKeyVersions(
  scope: BucketScope,
  { key, versionIdMarker, maxKeys }: KeyVersionQuery,
  signal: AbortSignal,
): Promise<VersionPage> {
  const list = async (versionIdMarker: string | undefined, maxKeys: number) => {
    const keyMarker = versionIdMarker === undefined ? undefined : key;
    const page = await listVersions(scope, { prefix: key, keyMarker, versionIdMarker, maxKeys }, signal);
    const own = page.versions.filter((version) => isKey(version.key, key));
    return { ...page, hasOthers: own.length < page.versions.length, own };
  };
  const { own, hasOthers, isTruncated, nextVersionIdMarker: next } = await list(versionIdMarker, maxKeys);
  const versions = own.map((version) => ({ ...version, key }));
  // All keys that are listed begin with the key, and it is the first of them.
  const mayGoOn = isTruncated && !hasOthers && next !== undefined;
  if (!mayGoOn || (await list(next, 1)).own.length === 0) return { versions, isTruncated: false };
  return { versions, isTruncated: true, nextKeyMarker: key, nextVersionIdMarker: next };
}

/** Servers that encode no keys list U+FFFD for a character that XML 1.0 (section 2.2) cannot hold. */
function isKey(listed: string, key: string): boolean {
  // deno-lint-ignore no-control-regex -- these are what is looked for
  return listed === key || listed === key.replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd");
}
