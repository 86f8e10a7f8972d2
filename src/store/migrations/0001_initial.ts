import type { Migration } from "./migration.ts";

/** Times are milliseconds since the epoch; `*_sealed` columns hold values of `secrets/seal.ts`. */
export const initial: Migration = {
  name: "0001_initial",
  sql: `
    CREATE TABLE users (
      id                   TEXT PRIMARY KEY,
      username             TEXT NOT NULL UNIQUE COLLATE NOCASE,
      email                TEXT UNIQUE COLLATE NOCASE,
      role                 TEXT NOT NULL CHECK (role IN ('readonly', 'user', 'admin')),
      identity_source      TEXT NOT NULL CHECK (identity_source IN ('local', 'oidc', 'static')),
      password_hash        TEXT,
      enabled              INTEGER NOT NULL DEFAULT 1,
      must_change_password INTEGER NOT NULL DEFAULT 0,
      created_at           INTEGER NOT NULL,
      last_login_at        INTEGER
    ) STRICT;

    CREATE TABLE sessions (
      id            TEXT PRIMARY KEY,
      token_hash    BLOB NOT NULL UNIQUE,
      user_id       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      ip            TEXT NOT NULL,
      user_agent    TEXT NOT NULL,
      created_at    INTEGER NOT NULL,
      expires_at    INTEGER NOT NULL,
      last_seen_at  INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX sessions_by_user ON sessions (user_id);

    CREATE TABLE login_failures (
      name_hash  BLOB NOT NULL,
      failed_at  INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX login_failures_by_name ON login_failures (name_hash, failed_at);

    CREATE TABLE backends (
      id                 TEXT PRIMARY KEY,
      name               TEXT NOT NULL,
      type               TEXT NOT NULL,
      endpoint           TEXT NOT NULL,
      region             TEXT NOT NULL,
      path_style         INTEGER NOT NULL,
      presign            INTEGER NOT NULL DEFAULT 0,
      enabled            INTEGER NOT NULL DEFAULT 1,
      access_key         TEXT NOT NULL,
      secret_key_sealed  BLOB,
      created_at         INTEGER NOT NULL,
      updated_at         INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE bucket_settings (
      backend_id    TEXT NOT NULL,
      bucket        TEXT NOT NULL,
      size_tracked  INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (backend_id, bucket)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE audit_events (
      id          INTEGER PRIMARY KEY AUTOINCREMENT,
      at          INTEGER NOT NULL,
      action      TEXT NOT NULL,
      user_id     TEXT NOT NULL,
      backend     TEXT NOT NULL,
      bucket      TEXT NOT NULL,
      key         TEXT NOT NULL,
      request_id  TEXT NOT NULL,
      ip          TEXT NOT NULL,
      user_agent  TEXT NOT NULL,
      status      TEXT NOT NULL,
      detail      TEXT NOT NULL
    ) STRICT;
    CREATE INDEX audit_events_by_time ON audit_events (at, id);
    CREATE INDEX audit_events_by_action ON audit_events (action, at, id);
    CREATE INDEX audit_events_by_user ON audit_events (user_id, at, id);
    CREATE INDEX audit_events_by_bucket ON audit_events (backend, bucket, at, id);
    CREATE INDEX audit_events_by_status ON audit_events (status, at, id);

    CREATE TABLE meta (
      name   TEXT PRIMARY KEY,
      value  TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
};
