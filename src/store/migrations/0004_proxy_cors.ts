import type { Migration } from "./migration.ts";

/** CORS rules of buckets at the S3 endpoint. `rules` is a JSON array, in the form of the API. */
export const proxyCors: Migration = {
  name: "0004_proxy_cors",
  sql: `
    CREATE TABLE proxy_cors (
      backend_id  TEXT NOT NULL,
      bucket      TEXT NOT NULL,
      rules       TEXT NOT NULL,
      updated_at  INTEGER NOT NULL,
      updated_by  TEXT NOT NULL,
      PRIMARY KEY (backend_id, bucket)
    ) STRICT, WITHOUT ROWID;
  `,
};
