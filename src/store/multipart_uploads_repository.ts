import type { Database } from "./database.ts";
import type { BucketId, UploadId } from "./quotas_repository.ts";

/** A multipart upload that was begun over the API and is not finished. */
export interface StoredUpload extends BucketId, UploadId {
  /** Milliseconds since the epoch. */
  readonly initiatedAt: number;
}

/** Which uploads of a bucket are looked for. */
export interface StoredUploadQuery extends BucketId {
  readonly prefix: string;
  /** Uploads of this key and before it are left out, but for those of the key itself whose ids come after `afterUploadId`. */
  readonly afterKey?: string;
  readonly afterUploadId?: string;
  readonly limit: number;
}

/** Keeps an upload. */
export function putUpload(database: Database, upload: StoredUpload): void {
  database.run(
    `INSERT OR REPLACE INTO multipart_uploads (backend_id, bucket, key, upload_id, initiated_at)
     VALUES (?, ?, ?, ?, ?)`,
    upload.backend,
    upload.bucket,
    upload.key,
    upload.uploadId,
    upload.initiatedAt,
  );
}

/** The uploads that a query asks for, by key and id. */
export function listUploads(database: Database, query: StoredUploadQuery): StoredUpload[] {
  const { backend, bucket, prefix, afterKey = "", afterUploadId = null, limit } = query;
  const rows = database.all(
    `SELECT * FROM multipart_uploads
     WHERE backend_id = ? AND bucket = ? AND substr(key, 1, length(?)) = ?
       AND (key > ? OR (key = ? AND upload_id > ?))
     ORDER BY key, upload_id LIMIT ?`,
    backend,
    bucket,
    prefix,
    prefix,
    afterKey,
    afterKey,
    afterUploadId,
    limit,
  );
  return rows.map((row) => ({
    backend: String(row.backend_id),
    bucket: String(row.bucket),
    key: String(row.key),
    uploadId: String(row.upload_id),
    initiatedAt: Number(row.initiated_at),
  }));
}

/** Forgets an upload. */
export function deleteUpload(
  database: Database,
  { backend, bucket, key, uploadId }: BucketId & UploadId,
): void {
  database.run(
    "DELETE FROM multipart_uploads WHERE backend_id = ? AND bucket = ? AND key = ? AND upload_id = ?",
    backend,
    bucket,
    key,
    uploadId,
  );
}

/** Forgets the uploads of a bucket. */
export function deleteUploadsOf(database: Database, { backend, bucket }: BucketId): void {
  database.run("DELETE FROM multipart_uploads WHERE backend_id = ? AND bucket = ?", backend, bucket);
}
