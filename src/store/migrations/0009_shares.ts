import type { Migration } from "./migration.ts";

/**
 * Links by which strangers reach an object or a folder. A share outlives the user who made it, so that its link says that
 * it was revoked; hence `created_by` refers to nothing.
 */
export const shares: Migration = {
  name: "0009_shares",
  sql: `
    CREATE TABLE shares (
      id                INTEGER PRIMARY KEY AUTOINCREMENT,
      code              TEXT NOT NULL UNIQUE,
      backend_id        TEXT NOT NULL,
      bucket            TEXT NOT NULL,
      key               TEXT NOT NULL,
      version_id        TEXT,
      disposition       TEXT NOT NULL CHECK (disposition IN ('inline', 'attachment')),
      note              TEXT NOT NULL DEFAULT '',
      password_hash     TEXT,
      max_downloads     INTEGER CHECK (max_downloads >= 1),
      download_count    INTEGER NOT NULL DEFAULT 0,
      created_by        TEXT NOT NULL,
      created_at        INTEGER NOT NULL,
      expires_at        INTEGER,
      revoked_at        INTEGER,
      last_download_at  INTEGER
    ) STRICT;
    CREATE INDEX shares_by_creator ON shares (created_by, id);
    CREATE INDEX shares_by_bucket ON shares (backend_id, bucket);
  `,
};
