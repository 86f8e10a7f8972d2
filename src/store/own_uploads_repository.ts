import type { Database } from "./database.ts";
import type { BucketId, UploadId } from "./quotas_repository.ts";

/** A multipart upload that the program makes by itself. */
export interface OwnUpload extends BucketId, UploadId {}

/** Every upload that is kept. */
export function listOwnUploads(database: Database): OwnUpload[] {
  return database.all("SELECT * FROM own_uploads").map((row) => ({
    backend: String(row.backend_id),
    bucket: String(row.bucket),
    key: String(row.key),
    uploadId: String(row.upload_id),
  }));
}

/** Keeps an upload. */
export function putOwnUpload(database: Database, { backend, bucket, key, uploadId }: OwnUpload): void {
  database.run("INSERT OR REPLACE INTO own_uploads VALUES (?, ?, ?, ?)", backend, bucket, key, uploadId);
}

/** Forgets an upload. */
export function deleteOwnUpload(database: Database, { backend, bucket, key, uploadId }: OwnUpload): void {
  database.run(
    "DELETE FROM own_uploads WHERE backend_id = ? AND bucket = ? AND key = ? AND upload_id = ?",
    backend,
    bucket,
    key,
    uploadId,
  );
}
