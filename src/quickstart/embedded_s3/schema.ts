import type { Migration } from "../../store/migrations/migration.ts";

/**
 * The index of what is stored. Keys compare as SQLite compares text: byte by byte in UTF-8, which is the order of S3's
 * listings. Times are milliseconds since the epoch; `headers`, `tags` and `checksum` are JSON.
 */
export const schema: readonly Migration[] = [{
  name: "0001_initial",
  sql: `
    CREATE TABLE buckets (
      name        TEXT PRIMARY KEY,
      created_at  INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE objects (
      bucket       TEXT NOT NULL REFERENCES buckets (name),
      key          TEXT NOT NULL,
      id           TEXT NOT NULL,
      size         INTEGER NOT NULL,
      etag         TEXT NOT NULL,
      modified_at  INTEGER NOT NULL,
      headers      TEXT NOT NULL,
      tags         TEXT NOT NULL,
      PRIMARY KEY (bucket, key)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE segments (
      object_id  TEXT NOT NULL,
      position   INTEGER NOT NULL,
      blob       TEXT NOT NULL,
      size       INTEGER NOT NULL,
      PRIMARY KEY (object_id, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE uploads (
      id          TEXT PRIMARY KEY,
      bucket      TEXT NOT NULL REFERENCES buckets (name),
      key         TEXT NOT NULL,
      started_at  INTEGER NOT NULL,
      headers     TEXT NOT NULL,
      tags        TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX uploads_by_key ON uploads (bucket, key, id);

    CREATE TABLE parts (
      upload_id    TEXT NOT NULL REFERENCES uploads (id),
      number       INTEGER NOT NULL,
      blob         TEXT NOT NULL,
      size         INTEGER NOT NULL,
      etag         TEXT NOT NULL,
      checksum     TEXT NOT NULL,
      modified_at  INTEGER NOT NULL,
      PRIMARY KEY (upload_id, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE unreferenced_blobs (
      id  TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
  `,
}];
