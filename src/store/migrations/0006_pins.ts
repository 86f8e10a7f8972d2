import type { Migration } from "./migration.ts";

/** Buckets that users have pinned, and those that they were last in. Times are milliseconds since the epoch. */
export const pins: Migration = {
  name: "0006_pins",
  sql: `
    CREATE TABLE pins (
      user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      backend_id  TEXT NOT NULL,
      bucket      TEXT NOT NULL,
      created_at  INTEGER NOT NULL,
      PRIMARY KEY (user_id, backend_id, bucket)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX pins_by_bucket ON pins (backend_id, bucket);

    CREATE TABLE recent_buckets (
      user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      backend_id  TEXT NOT NULL,
      bucket      TEXT NOT NULL,
      visited_at  INTEGER NOT NULL,
      PRIMARY KEY (user_id, backend_id, bucket)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX recent_buckets_by_bucket ON recent_buckets (backend_id, bucket);
  `,
};
