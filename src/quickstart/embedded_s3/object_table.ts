import type { Database, Row } from "../../store/database.ts";
import type { BlobStore, Segment } from "./blob_store.ts";

/** Headers that a client stores with an object and gets back with it. */
export type StoredHeaders = Readonly<Record<string, string>>;

/** Tags of an object. */
export type Tags = Readonly<Record<string, string>>;

/** What the index knows about an object, its bytes aside. */
export interface StoredObject {
  readonly bucket: string;
  readonly key: string;
  /** Differs from version to version of an object. */
  readonly id: string;
  /** Bytes. */
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly headers: StoredHeaders;
  readonly tags: Tags;
}

/** What a listing says about an object. */
export type ListedObject = Pick<StoredObject, "key" | "size" | "etag" | "modifiedAt">;

/** The object under `key`, or `undefined`. */
export function findObject(database: Database, bucket: string, key: string): StoredObject | undefined {
  const row = database.get("SELECT * FROM objects WHERE bucket = ? AND key = ?", bucket, key);
  return row === undefined ? undefined : toObject(row);
}

/** Where an object's bytes are, in their order. */
export function segmentsOf(database: Database, object: StoredObject): Segment[] {
  return database.all("SELECT blob, size FROM segments WHERE object_id = ? ORDER BY position", object.id)
    .map((row) => ({ blob: String(row.blob), size: Number(row.size) }));
}

/** Stores an object in place of the one under its key, if any. To be called inside a transaction. */
export function replaceObject(
  database: Database,
  blobs: BlobStore,
  object: StoredObject,
  segments: readonly Segment[],
): void {
  removeObject(database, blobs, object.bucket, object.key);
  database.run(
    `INSERT INTO objects (bucket, key, id, size, etag, modified_at, headers, tags) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    object.bucket,
    object.key,
    object.id,
    object.size,
    object.etag,
    object.modifiedAt,
    JSON.stringify(object.headers),
    JSON.stringify(object.tags),
  );
  segments.forEach(({ blob, size }, position) => {
    database.run(
      "INSERT INTO segments (object_id, position, blob, size) VALUES (?, ?, ?, ?)",
      object.id,
      position,
      blob,
      size,
    );
  });
}

/** Removes the object under `key`, if any. To be called inside a transaction. */
export function removeObject(database: Database, blobs: BlobStore, bucket: string, key: string): void {
  const object = findObject(database, bucket, key);
  if (object === undefined) return;
  for (const { blob } of segmentsOf(database, object)) blobs.abandon(blob);
  database.run("DELETE FROM segments WHERE object_id = ?", object.id);
  database.run("DELETE FROM objects WHERE bucket = ? AND key = ?", bucket, key);
}

/** Puts `tags` in place of an object's tags. */
export function updateTags(database: Database, object: StoredObject, tags: Tags): void {
  database.run(
    "UPDATE objects SET tags = ? WHERE bucket = ? AND key = ? AND id = ?",
    JSON.stringify(tags),
    object.bucket,
    object.key,
    object.id,
  );
}

/** Up to `limit` objects of a bucket in key order, from the key `from` on or, when `exclusive`, after it. */
export function objectsFrom(
  database: Database,
  bucket: string,
  from: string,
  exclusive: boolean,
  limit: number,
): ListedObject[] {
  const rows = database.all(
    `SELECT key, size, etag, modified_at FROM objects
     WHERE bucket = ? AND key ${exclusive ? ">" : ">="} ? ORDER BY key LIMIT ?`,
    bucket,
    from,
    limit,
  );
  return rows.map(toListed);
}

function toListed(row: Row): ListedObject {
  return {
    key: String(row.key),
    size: Number(row.size),
    etag: String(row.etag),
    modifiedAt: Number(row.modified_at),
  };
}

function toObject(row: Row): StoredObject {
  return {
    ...toListed(row),
    bucket: String(row.bucket),
    id: String(row.id),
    headers: JSON.parse(String(row.headers)),
    tags: JSON.parse(String(row.tags)),
  };
}
