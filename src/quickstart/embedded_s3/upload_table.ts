import type { Database, Row } from "../../store/database.ts";
import type { BlobStore, Segment } from "./blob_store.ts";
import type { Checksum } from "../../checksums/checksum.ts";
import type { StoredHeaders, Tags } from "./object_table.ts";

/** A multipart upload that was begun and neither completed nor aborted. */
export interface Upload {
  readonly id: string;
  readonly bucket: string;
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly headers: StoredHeaders;
  readonly tags: Tags;
}

/** A part that was uploaded. */
export interface Part extends Segment {
  /** From 1 to 10,000. */
  readonly number: number;
  /** MD5 of its bytes in hexadecimal. */
  readonly etag: string;
  /** The checksum that came with it. */
  readonly checksum?: Checksum;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Records the start of an upload. */
export function insertUpload(database: Database, upload: Upload): void {
  database.run(
    "INSERT INTO uploads (id, bucket, key, started_at, headers, tags) VALUES (?, ?, ?, ?, ?, ?)",
    upload.id,
    upload.bucket,
    upload.key,
    upload.startedAt,
    JSON.stringify(upload.headers),
    JSON.stringify(upload.tags),
  );
}

/** The upload with this id to this key, or `undefined`. */
export function findUpload(database: Database, bucket: string, key: string, id: string): Upload | undefined {
  const row = database.get("SELECT * FROM uploads WHERE id = ? AND bucket = ? AND key = ?", id, bucket, key);
  return row === undefined ? undefined : toUpload(row);
}

/** Up to `limit` uploads of a bucket by key, then by id, after the given ones. */
export function uploadsAfter(
  database: Database,
  bucket: string,
  after: { key: string; id: string },
  limit: number,
): Upload[] {
  return database.all(
    "SELECT * FROM uploads WHERE bucket = ? AND (key, id) > (?, ?) ORDER BY key, id LIMIT ?",
    bucket,
    after.key,
    after.id,
    limit,
  ).map(toUpload);
}

/** Removes an upload. Its parts' files are abandoned but for those in `kept`. To be called inside a transaction. */
export function removeUpload(
  database: Database,
  blobs: BlobStore,
  id: string,
  kept: ReadonlySet<string> = new Set(),
): void {
  for (const { blob } of partsAfter(database, id, 0, -1)) if (!kept.has(blob)) blobs.abandon(blob);
  database.run("DELETE FROM parts WHERE upload_id = ?", id);
  database.run("DELETE FROM uploads WHERE id = ?", id);
}

/** Stores a part in place of the one with its number, if any. To be called inside a transaction. */
export function replacePart(database: Database, blobs: BlobStore, uploadId: string, part: Part): void {
  const former = database.get(
    "SELECT blob FROM parts WHERE upload_id = ? AND number = ?",
    uploadId,
    part.number,
  );
  if (former !== undefined) blobs.abandon(String(former.blob));
  database.run(
    `INSERT OR REPLACE INTO parts (upload_id, number, blob, size, etag, checksum, modified_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    uploadId,
    part.number,
    part.blob,
    part.size,
    part.etag,
    JSON.stringify(part.checksum ?? null),
    part.modifiedAt,
  );
}

/** Up to `limit` parts of an upload with a number above `marker`, in their order; every one with a `limit` of -1. */
export function partsAfter(database: Database, uploadId: string, marker: number, limit: number): Part[] {
  return database.all(
    "SELECT * FROM parts WHERE upload_id = ? AND number > ? ORDER BY number LIMIT ?",
    uploadId,
    marker,
    limit,
  ).map((row) => ({
    number: Number(row.number),
    blob: String(row.blob),
    size: Number(row.size),
    etag: String(row.etag),
    checksum: JSON.parse(String(row.checksum)) ?? undefined,
    modifiedAt: Number(row.modified_at),
  }));
}

function toUpload(row: Row): Upload {
  return {
    id: String(row.id),
    bucket: String(row.bucket),
    key: String(row.key),
    startedAt: Number(row.started_at),
    headers: JSON.parse(String(row.headers)),
    tags: JSON.parse(String(row.tags)),
  };
}
