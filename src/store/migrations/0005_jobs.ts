import type { Migration } from "./migration.ts";

/**
 * Long work on objects. `spec`, `locks`, `result` and `error` are JSON; times are milliseconds since the epoch. Failures are
 * by object: `version_id` is empty for the current version.
 */
export const jobs: Migration = {
  name: "0005_jobs",
  sql: `
    CREATE TABLE jobs (
      id           TEXT PRIMARY KEY,
      kind         TEXT NOT NULL,
      user_id      TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      spec         TEXT NOT NULL,
      locks        TEXT NOT NULL,
      state        TEXT NOT NULL,
      runs         INTEGER NOT NULL DEFAULT 0,
      done         INTEGER NOT NULL DEFAULT 0,
      skipped      INTEGER NOT NULL DEFAULT 0,
      failed       INTEGER NOT NULL DEFAULT 0,
      total        INTEGER,
      bytes        INTEGER NOT NULL DEFAULT 0,
      total_bytes  INTEGER,
      current      TEXT NOT NULL DEFAULT '',
      position     TEXT,
      is_listed    INTEGER NOT NULL DEFAULT 0,
      result       TEXT,
      error        TEXT,
      created_at   INTEGER NOT NULL,
      started_at   INTEGER,
      finished_at  INTEGER
    ) STRICT;
    CREATE INDEX jobs_by_user ON jobs (user_id, created_at, id);
    CREATE INDEX jobs_by_age ON jobs (created_at, id);

    CREATE TABLE job_failures (
      job_id      TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      key         TEXT NOT NULL,
      version_id  TEXT NOT NULL,
      code        TEXT NOT NULL,
      message     TEXT NOT NULL,
      PRIMARY KEY (job_id, key, version_id)
    ) STRICT, WITHOUT ROWID;
  `,
};
