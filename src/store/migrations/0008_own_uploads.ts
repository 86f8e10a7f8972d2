import type { Migration } from "./migration.ts";

/** Multipart uploads that the program makes by itself, as long as they are neither completed nor aborted. */
export const ownUploads: Migration = {
  name: "0008_own_uploads",
  sql: `
    CREATE TABLE own_uploads (
      backend_id  TEXT NOT NULL,
      bucket      TEXT NOT NULL,
      key         TEXT NOT NULL,
      upload_id   TEXT NOT NULL,
      PRIMARY KEY (backend_id, bucket, key, upload_id)
    ) STRICT, WITHOUT ROWID;
  `,
};
