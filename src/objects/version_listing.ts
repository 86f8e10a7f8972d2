import { type DeleteMarkerEntry, ListObjectVersionsCommand } from "@aws-sdk/client-s3";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { foreignAnswerProblem } from "../backends/upstream_error.ts";
import { compareKeys } from "./key_order.ts";
import { decodeKey, unquoted } from "./listing.ts";

/** Which page of a bucket's versions is asked for. */
export interface VersionQuery {
  readonly prefix: string;
  /** Keys are grouped up to its next occurrence after the prefix; groups are left out of the result. */
  readonly delimiter?: string;
  /** Where an earlier page ended: its `nextKeyMarker` and `nextVersionIdMarker`. */
  readonly keyMarker?: string;
  readonly versionIdMarker?: string;
  /** 1 to 1,000. */
  readonly maxKeys: number;
}

/** A version of an object, or a delete marker. */
export interface ObjectVersion {
  readonly key: string;
  /** `null`, as text, for what was stored while the bucket had no versioning. */
  readonly versionId: string;
  readonly isLatest: boolean;
  readonly isDeleteMarker: boolean;
  /** In bytes; 0 for a delete marker. */
  readonly size: number;
  /** Without its quotes; empty for a delete marker. */
  readonly etag: string;
  readonly lastModified: Date;
  readonly storageClass?: string;
}

/** A page of versions. */
export interface VersionPage {
  /** By key, the newest first under each. */
  readonly versions: ObjectVersion[];
  readonly isTruncated: boolean;
  readonly nextKeyMarker?: string;
  readonly nextVersionIdMarker?: string;
}

/**
 * Lists one page of all versions and delete markers; where the bucket has no versioning, its objects as versions `null`.
 * Throws 404 `not_found` for an unknown bucket, 400 `not_supported` where the backend knows no versions.
 */
export async function listVersions(
  scope: BucketScope,
  query: VersionQuery,
  signal?: AbortSignal,
): Promise<VersionPage> {
  let page = await fetchPage(scope, query, signal);
  // After a latest version versitygw begins with that version again: a page of one would never lead on.
  if (isStuck(page, query) && query.maxKeys === 1) {
    page = await fetchPage(scope, { ...query, maxKeys: 2 }, signal);
  }
  // The same page for ever, or a half-told one, is no listing.
  if (isStuck(page, query)) throw foreignAnswerProblem(200);
  const versions = page.versions.filter(({ key, versionId }) => !isAtMarker(key, versionId, query));
  return { ...page, versions };
}

function isStuck(
  { isTruncated, nextKeyMarker, nextVersionIdMarker }: VersionPage,
  query: VersionQuery,
): boolean {
  return isTruncated &&
    (nextKeyMarker === undefined || isAtMarker(nextKeyMarker, nextVersionIdMarker, query));
}

/** Ids are unique but for that of unversioned objects; a key may not be listed as it was asked for. */
function isAtMarker(key: string, versionId: string | undefined, asked: VersionQuery): boolean {
  const hasUniqueId = versionId !== undefined && versionId !== "null";
  return versionId === asked.versionIdMarker && (hasUniqueId || key === asked.keyMarker);
}

async function fetchPage(
  { connection, bucket }: BucketScope,
  { prefix, delimiter, keyMarker, versionIdMarker, maxKeys }: VersionQuery,
  signal?: AbortSignal,
): Promise<VersionPage> {
  const command = new ListObjectVersionsCommand({
    Bucket: bucket,
    Prefix: prefix,
    Delimiter: delimiter || undefined,
    KeyMarker: keyMarker,
    VersionIdMarker: versionIdMarker,
    MaxKeys: maxKeys,
    // XML cannot hold every character that a key can.
    EncodingType: "url",
  });
  const page = await connection.call((sdk, options) => sdk.send(command, options), {
    signal,
    answer: "ListVersionsResult",
  });
  const decode = page.EncodingType === "url" ? decodeKey : (text: string) => text;
  const versions = (page.Versions ?? []).map((version) => ({
    ...described(version, decode),
    isDeleteMarker: false,
    size: version.Size ?? 0,
    etag: unquoted(version.ETag),
    storageClass: version.StorageClass,
  }));
  const markers = (page.DeleteMarkers ?? []).map((marker) => ({
    ...described(marker, decode),
    isDeleteMarker: true,
    size: 0,
    etag: "",
  }));
  return {
    // The SDK tells versions and delete markers apart, so that their common order is lost.
    versions: [...versions, ...markers].sort(byKeyAndAge),
    isTruncated: page.IsTruncated ?? false,
    nextKeyMarker: page.NextKeyMarker ? decode(page.NextKeyMarker) : undefined,
    nextVersionIdMarker: page.NextVersionIdMarker || undefined,
  };
}

function described(entry: DeleteMarkerEntry, decode: (text: string) => string) {
  return {
    key: decode(entry.Key ?? ""),
    versionId: entry.VersionId || "null",
    isLatest: entry.IsLatest ?? false,
    lastModified: entry.LastModified ?? new Date(0),
  };
}

function byKeyAndAge(one: ObjectVersion, other: ObjectVersion): number {
  if (one.key !== other.key) return compareKeys(one.key, other.key);
  if (one.isLatest !== other.isLatest) return one.isLatest ? -1 : 1;
  return other.lastModified.getTime() - one.lastModified.getTime();
}
