import type { Migration } from "./migration.ts";

/** When each credential of the S3 endpoint, whatever its source, was last used. */
export const credentialUses: Migration = {
  name: "0013_credential_uses",
  sql: `
    CREATE TABLE credential_uses (
      access_key_id TEXT PRIMARY KEY,
      last_used_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
};
