import type { Database, Row } from "./database.ts";

/** A bucket of a backend. */
export interface BucketId {
  readonly backend: string;
  readonly bucket: string;
}

/** The caps of a bucket as they were set in the dashboard, in bytes; 0 is no cap. */
export interface StoredQuota extends BucketId {
  readonly softBytes: number;
  readonly hardBytes: number;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  /** Name of the user who set them. */
  readonly updatedBy: string;
}

/** What a bucket holds: the last count, and what was stored since. */
export interface StoredUsage extends BucketId {
  readonly bytes: number;
  readonly objects: number;
  /** When it was counted, in milliseconds since the epoch. */
  readonly computedAt: number;
  readonly committedBytes: number;
  readonly committedObjects: number;
  /** Whether nothing was stored that is in neither of the two. */
  readonly complete: boolean;
  /** Whether passing the soft cap is on record already. */
  readonly softExceeded: boolean;
}

/** What a bucket held on a day. */
export interface UsageSample {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly bytes: number;
  readonly objects: number;
}

/** A multipart upload of a bucket. */
export interface UploadId {
  readonly key: string;
  readonly uploadId: string;
}

/** A part of an unfinished multipart upload. */
export interface StoredPart extends BucketId, UploadId {
  readonly partNumber: number;
  readonly bytes: number;
}

/** Every quota. */
export function listQuotas(database: Database): StoredQuota[] {
  return database.all("SELECT * FROM quotas ORDER BY backend_id, bucket").map((row) => ({
    ...bucketOf(row),
    softBytes: Number(row.soft_bytes),
    hardBytes: Number(row.hard_bytes),
    updatedAt: Number(row.updated_at),
    updatedBy: String(row.updated_by),
  }));
}

/** Sets the quota of a bucket. */
export function putQuota(database: Database, quota: StoredQuota): void {
  database.run(
    `INSERT OR REPLACE INTO quotas (backend_id, bucket, soft_bytes, hard_bytes, updated_at, updated_by)
     VALUES (?, ?, ?, ?, ?, ?)`,
    quota.backend,
    quota.bucket,
    quota.softBytes,
    quota.hardBytes,
    quota.updatedAt,
    quota.updatedBy,
  );
}

/** Removes the quota of a bucket. */
export function deleteQuota(database: Database, { backend, bucket }: BucketId): void {
  database.run("DELETE FROM quotas WHERE backend_id = ? AND bucket = ?", backend, bucket);
}

/**
 * Every figure of the last run. From here on they are not complete, until {@link putUsage} says so again: the program may
 * end without doing that.
 */
export function takeUsage(database: Database): StoredUsage[] {
  const usage = database.all("SELECT * FROM bucket_usage").map((row) => ({
    ...bucketOf(row),
    bytes: Number(row.bytes),
    objects: Number(row.object_count),
    computedAt: Number(row.computed_at),
    committedBytes: Number(row.committed_bytes),
    committedObjects: Number(row.committed_objects),
    complete: row.complete === 1,
    softExceeded: row.soft_exceeded === 1,
  }));
  database.run("UPDATE bucket_usage SET complete = 0 WHERE complete = 1");
  return usage;
}

/** Keeps what a bucket holds. */
export function putUsage(database: Database, usage: StoredUsage): void {
  database.run(
    `INSERT OR REPLACE INTO bucket_usage (backend_id, bucket, bytes, object_count, computed_at, committed_bytes,
                                          committed_objects, complete, soft_exceeded)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    usage.backend,
    usage.bucket,
    usage.bytes,
    usage.objects,
    usage.computedAt,
    usage.committedBytes,
    usage.committedObjects,
    Number(usage.complete),
    Number(usage.softExceeded),
  );
}

/** Keeps what a bucket held on a day, in place of an earlier figure of that day, and drops samples before `oldest`. */
export function putUsageSample(
  database: Database,
  { backend, bucket }: BucketId,
  { day, bytes, objects }: UsageSample,
  oldest: string,
): void {
  database.run(
    "INSERT OR REPLACE INTO usage_samples (backend_id, bucket, day, bytes, object_count) VALUES (?, ?, ?, ?, ?)",
    backend,
    bucket,
    day,
    bytes,
    objects,
  );
  database.run(
    "DELETE FROM usage_samples WHERE backend_id = ? AND bucket = ? AND day < ?",
    backend,
    bucket,
    oldest,
  );
}

/** What a bucket held on each day from `oldest` on, oldest first. */
export function listUsageSamples(
  database: Database,
  { backend, bucket }: BucketId,
  oldest: string,
): UsageSample[] {
  const rows = database.all(
    `SELECT day, bytes, object_count FROM usage_samples WHERE backend_id = ? AND bucket = ? AND day >= ? ORDER BY day`,
    backend,
    bucket,
    oldest,
  );
  return rows.map((row) => ({
    day: String(row.day),
    bytes: Number(row.bytes),
    objects: Number(row.object_count),
  }));
}

/** Every part of every unfinished upload. */
export function listParts(database: Database): StoredPart[] {
  return database.all("SELECT * FROM multipart_reservations").map((row) => ({
    ...bucketOf(row),
    key: String(row.key),
    uploadId: String(row.upload_id),
    partNumber: Number(row.part_number),
    bytes: Number(row.bytes),
  }));
}

/** Keeps a part, in place of an earlier one with its number. */
export function putPart(database: Database, part: StoredPart): void {
  database.run(
    `INSERT OR REPLACE INTO multipart_reservations (backend_id, bucket, key, upload_id, part_number, bytes)
     VALUES (?, ?, ?, ?, ?, ?)`,
    part.backend,
    part.bucket,
    part.key,
    part.uploadId,
    part.partNumber,
    part.bytes,
  );
}

/** Forgets one part of an upload, or all of them. */
export function deleteParts(
  database: Database,
  { backend, bucket }: BucketId,
  { key, uploadId }: UploadId,
  partNumber?: number,
): void {
  const ofUpload =
    "DELETE FROM multipart_reservations WHERE backend_id = ? AND bucket = ? AND key = ? AND upload_id = ?";
  if (partNumber === undefined) database.run(ofUpload, backend, bucket, key, uploadId);
  else database.run(`${ofUpload} AND part_number = ?`, backend, bucket, key, uploadId, partNumber);
}

const tables = ["quotas", "bucket_usage", "usage_samples", "multipart_reservations"];

/** Forgets everything about the usage of a bucket, or of all buckets of a backend. Runs within a transaction too. */
export function deleteUsage(database: Database, backend: string, bucket?: string): void {
  for (const table of tables) {
    if (bucket === undefined) database.run(`DELETE FROM ${table} WHERE backend_id = ?`, backend);
    else database.run(`DELETE FROM ${table} WHERE backend_id = ? AND bucket = ?`, backend, bucket);
  }
}

function bucketOf(row: Row): BucketId {
  return { backend: String(row.backend_id), bucket: String(row.bucket) };
}
