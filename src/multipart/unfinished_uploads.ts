import type { BucketScope } from "../backends/bucket_scope.ts";
import { mapPool } from "../backends/map_pool.ts";
import { serverKind } from "../backends/server_kind.ts";
import { compareKeys } from "../objects/key_order.ts";
import { Problem } from "../problem.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import { requireUpload } from "./part_listing.ts";
import type { UploadRecords } from "./records.ts";
import {
  fetchUploadPage,
  maxUploads,
  type UnfinishedUpload,
  type UploadPage,
  type UploadQuery,
} from "./upload_listing.ts";

/** A bucket, and what is kept about its uploads. */
export interface UploadsScope extends BucketScope {
  readonly records: UploadRecords;
  readonly ledger: QuotaLedger;
}

/** Most pages that are read of the uploads of one key. */
const maxPages = 10;

/** How many uploads are looked at together. */
const lookups = 16;

const noUploads: UploadPage = { uploads: [], isTruncated: false };

/** What a backend tells of the uploads that are asked for, in no order. */
interface Listed {
  readonly uploads: readonly UnfinishedUpload[];
  /** Whether there are more behind the last key. */
  readonly isTruncated: boolean;
}

/**
 * Lists one page of a bucket's unfinished uploads. The pages of MinIO and versitygw are not those that are asked for, so they
 * are made here. Throws 404 `not_found` for an unknown bucket.
 */
export async function listUnfinished(
  scope: UploadsScope,
  query: UploadQuery,
  signal: AbortSignal,
): Promise<UploadPage> {
  const { prefix, keyMarker, limit } = query;
  // Some servers refuse markers that lie outside of the prefix.
  if (keyMarker !== undefined && !keyMarker.startsWith(prefix)) {
    if (compareKeys(keyMarker, prefix) > 0) return noUploads;
    return await listUnfinished(scope, { prefix, limit }, signal);
  }
  switch (await serverKind(scope, signal)) {
    case "minio": {
      const { uploads } = await listByMinio(scope, prefix, signal);
      const recorded = await listForgotten(scope, query, uploads, signal);
      return pageOf({ uploads: [...uploads, ...recorded], isTruncated: false }, query);
    }
    case "versitygw": {
      const { uploads, isTruncated } = await listByVersityGateway(scope, query, signal);
      return pageOf({ uploads: withRecordedKeys(scope, query, uploads), isTruncated }, query);
    }
    case "other":
      return await fetchUploadPage(scope, query, signal);
  }
}

/** The page that is asked for, by key and id. */
function pageOf({ uploads, isTruncated }: Listed, query: UploadQuery): UploadPage {
  const found = uploads.filter((upload) => isAfter(upload, query)).sort(byKeyAndId);
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  if (last === undefined || (!isTruncated && found.length <= query.limit)) {
    return { uploads: page, isTruncated: false };
  }
  return { uploads: page, isTruncated: true, nextKeyMarker: last.key, nextUploadIdMarker: last.uploadId };
}

/**
 * MinIO lists either the uploads of the one key that is the prefix, or, without a prefix, all that were begun since it was
 * started, whatever the page.
 */
async function listByMinio(scope: BucketScope, prefix: string, signal: AbortSignal): Promise<Listed> {
  const found = new Map<string, UnfinishedUpload>();
  const { uploads } = await fetchUploadPage(scope, { prefix: "", limit: maxUploads }, signal);
  for (const upload of uploads) if (upload.key.startsWith(prefix)) found.set(upload.uploadId, upload);
  let page: UploadPage | undefined;
  for (let count = 0; prefix !== "" && count < maxPages && page?.isTruncated !== false; count++) {
    const { nextKeyMarker: keyMarker, nextUploadIdMarker: uploadIdMarker } = page ?? {};
    page = await fetchUploadPage(scope, { prefix, keyMarker, uploadIdMarker, limit: maxUploads }, signal);
    for (const upload of page.uploads) found.set(upload.uploadId, upload);
  }
  return { uploads: [...found.values()], isTruncated: false };
}

/** versitygw leaves out all uploads of the key that is the marker, and takes no id of one of these for a marker. */
async function listByVersityGateway(
  scope: BucketScope,
  { prefix, keyMarker, uploadIdMarker }: UploadQuery,
  signal: AbortSignal,
): Promise<Listed> {
  const limit = maxUploads;
  const ofMarker = keyMarker === undefined || uploadIdMarker === undefined
    ? []
    : (await fetchUploadPage(scope, { prefix: keyMarker, limit }, signal)).uploads;
  const page = await fetchUploadPage(scope, { prefix, keyMarker, limit }, signal);
  const lastKey = page.uploads.at(-1)?.key;
  const whole = page.uploads.filter(({ key }) => key !== lastKey);
  // There may be more of the last key behind it, so that has to wait for the next page.
  const uploads = page.isTruncated && whole.length > 0 ? whole : page.uploads;
  return {
    uploads: [...ofMarker.filter(({ key }) => key === keyMarker), ...uploads],
    isTruncated: page.isTruncated,
  };
}

/** What was begun over the API, but is not listed: MinIO forgets its uploads, though not their parts, when it ends. */
async function listForgotten(
  scope: UploadsScope,
  query: UploadQuery,
  listed: readonly UnfinishedUpload[],
  signal: AbortSignal,
): Promise<UnfinishedUpload[]> {
  const isListed = new Set(listed.map(({ uploadId }) => uploadId));
  const isAlive = new Set<string>();
  while (true) {
    const recorded = listRecorded(scope, query).filter(({ uploadId }) => !isListed.has(uploadId));
    const ended = await findEnded(scope, recorded.filter(({ uploadId }) => !isAlive.has(uploadId)), signal);
    if (ended.size === 0) return recorded;
    // These are off the record now, so that others take their places.
    for (const upload of recorded) if (!ended.has(upload)) isAlive.add(upload.uploadId);
  }
}

/** versitygw lists keys without the characters that XML cannot hold; where they are on record, they are put right. */
function withRecordedKeys(
  scope: UploadsScope,
  query: UploadQuery,
  listed: readonly UnfinishedUpload[],
): UnfinishedUpload[] {
  const keys = new Map(listRecorded(scope, query).map(({ uploadId, key }) => [uploadId, key]));
  return listed.map((upload) => ({ ...upload, key: keys.get(upload.uploadId) ?? upload.key }));
}

function listRecorded(
  { connection: { backend }, bucket, records }: UploadsScope,
  { prefix, keyMarker, uploadIdMarker, limit }: UploadQuery,
): UnfinishedUpload[] {
  const markers = { afterKey: keyMarker, afterUploadId: uploadIdMarker };
  return records.list({ backend: backend.id, bucket, prefix, ...markers, limit: limit + 1 })
    .map(({ key, uploadId, initiatedAt }) => ({ key, uploadId, initiatedAt: new Date(initiatedAt) }));
}

/** Those uploads that the backend does not know any more, which are forgotten here as well. */
async function findEnded(
  scope: UploadsScope,
  uploads: readonly UnfinishedUpload[],
  signal: AbortSignal,
): Promise<Set<UnfinishedUpload>> {
  const ended = new Set<UnfinishedUpload>();
  await mapPool(uploads, lookups, signal, async (upload, lookupSignal) => {
    try {
      await requireUpload({ ...scope, ...upload }, lookupSignal);
    } catch (error) {
      if (!(error instanceof Problem && error.detail?.upstream_code === "NoSuchUpload")) throw error;
      ended.add(upload);
    }
  });
  return ended;
}

function isAfter({ key, uploadId }: UnfinishedUpload, { keyMarker, uploadIdMarker }: UploadQuery): boolean {
  if (keyMarker === undefined) return true;
  if (key !== keyMarker) return compareKeys(key, keyMarker) > 0;
  return uploadIdMarker !== undefined && uploadId > uploadIdMarker;
}

function byKeyAndId(one: UnfinishedUpload, other: UnfinishedUpload): number {
  return compareKeys(one.key, other.key) || compareKeys(one.uploadId, other.uploadId);
}
