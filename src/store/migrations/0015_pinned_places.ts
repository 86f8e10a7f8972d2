import type { Migration } from "./migration.ts";

/**
 * Pins of folders, filters and searches besides those of buckets. A text that a pin does not have is empty, also the backend
 * and the bucket of a search over everything.
 */
export const pinnedPlaces: Migration = {
  name: "0015_pinned_places",
  sql: `
    ALTER TABLE pins RENAME TO bucket_pins;
    DROP INDEX pins_by_bucket;
    CREATE TABLE pins (
      user_id     TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      backend_id  TEXT NOT NULL,
      bucket      TEXT NOT NULL,
      prefix      TEXT NOT NULL DEFAULT '',
      filter      TEXT NOT NULL DEFAULT '',
      search      TEXT NOT NULL DEFAULT '',
      created_at  INTEGER NOT NULL,
      PRIMARY KEY (user_id, backend_id, bucket, prefix, filter, search)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO pins (user_id, backend_id, bucket, created_at)
      SELECT user_id, backend_id, bucket, created_at FROM bucket_pins;
    DROP TABLE bucket_pins;
    CREATE INDEX pins_by_bucket ON pins (backend_id, bucket);
  `,
};
