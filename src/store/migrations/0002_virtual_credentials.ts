import type { Migration } from "./migration.ts";

/** Credentials and anonymous bindings of the S3 endpoint. `buckets` is a JSON array of names. */
export const virtualCredentials: Migration = {
  name: "0002_virtual_credentials",
  sql: `
    CREATE TABLE virtual_credentials (
      access_key_id  TEXT PRIMARY KEY,
      secret_sealed  BLOB NOT NULL,
      backend_id     TEXT NOT NULL,
      buckets        TEXT NOT NULL,
      prefix         TEXT NOT NULL,
      read_only      INTEGER NOT NULL,
      description    TEXT NOT NULL,
      enabled        INTEGER NOT NULL,
      expires_at     INTEGER,
      user_id        TEXT REFERENCES users (id) ON DELETE CASCADE,
      created_at     INTEGER NOT NULL,
      created_by     TEXT NOT NULL,
      updated_at     INTEGER NOT NULL,
      rotated_at     INTEGER
    ) STRICT;
    CREATE INDEX virtual_credentials_by_user ON virtual_credentials (user_id);

    CREATE TABLE anonymous_bindings (
      backend_id         TEXT NOT NULL,
      bucket             TEXT NOT NULL,
      mode               TEXT NOT NULL CHECK (mode IN ('ReadOnly', 'None')),
      per_source_ip_rps  REAL NOT NULL,
      created_at         INTEGER NOT NULL,
      created_by         TEXT NOT NULL,
      PRIMARY KEY (backend_id, bucket)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX anonymous_bindings_open ON anonymous_bindings (bucket) WHERE mode = 'ReadOnly';
  `,
};
