import type { Migration } from "./migration.ts";

/**
 * Caps and what buckets hold. `bucket_usage` is the last count and what was stored since; `complete` is 1 only between a
 * clean end of the program and its next start, when these two are all there is. `multipart_reservations` are the parts of
 * uploads that are not finished: no listing of objects shows them.
 */
export const quotas: Migration = {
  name: "0003_quotas",
  sql: `
    CREATE TABLE quotas (
      backend_id  TEXT NOT NULL,
      bucket      TEXT NOT NULL,
      soft_bytes  INTEGER NOT NULL CHECK (soft_bytes >= 0),
      hard_bytes  INTEGER NOT NULL CHECK (hard_bytes >= 0),
      updated_at  INTEGER NOT NULL,
      updated_by  TEXT NOT NULL,
      PRIMARY KEY (backend_id, bucket)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE bucket_usage (
      backend_id         TEXT NOT NULL,
      bucket             TEXT NOT NULL,
      bytes              INTEGER NOT NULL,
      object_count       INTEGER NOT NULL,
      computed_at        INTEGER NOT NULL,
      committed_bytes    INTEGER NOT NULL,
      committed_objects  INTEGER NOT NULL,
      complete           INTEGER NOT NULL,
      soft_exceeded      INTEGER NOT NULL,
      PRIMARY KEY (backend_id, bucket)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE usage_samples (
      backend_id    TEXT NOT NULL,
      bucket        TEXT NOT NULL,
      day           TEXT NOT NULL,
      bytes         INTEGER NOT NULL,
      object_count  INTEGER NOT NULL,
      PRIMARY KEY (backend_id, bucket, day)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE multipart_reservations (
      backend_id   TEXT NOT NULL,
      bucket       TEXT NOT NULL,
      key          TEXT NOT NULL,
      upload_id    TEXT NOT NULL,
      part_number  INTEGER NOT NULL,
      bytes        INTEGER NOT NULL,
      PRIMARY KEY (backend_id, bucket, key, upload_id, part_number)
    ) STRICT, WITHOUT ROWID;
  `,
};
