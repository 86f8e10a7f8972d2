import type { Migration } from "./migration.ts";

/**
 * Multipart uploads that were begun over the API and are not finished: not every server lists them all. `initiated_at` is in
 * milliseconds since the epoch.
 */
export const multipartUploads: Migration = {
  name: "0007_multipart_uploads",
  sql: `
    CREATE TABLE multipart_uploads (
      backend_id    TEXT NOT NULL,
      bucket        TEXT NOT NULL,
      key           TEXT NOT NULL,
      upload_id     TEXT NOT NULL,
      initiated_at  INTEGER NOT NULL,
      PRIMARY KEY (backend_id, bucket, key, upload_id)
    ) STRICT, WITHOUT ROWID;
  `,
};
