import type { Migration } from "./migration.ts";

/**
 * Who users are at identity providers, and which sessions there those here began with. Times are milliseconds since the
 * epoch; `*_sealed` columns hold values of `secrets/seal.ts`.
 */
export const oidc: Migration = {
  name: "0010_oidc",
  sql: `
    CREATE TABLE oidc_identities (
      issuer         TEXT NOT NULL,
      subject        TEXT NOT NULL,
      user_id        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      created_at     INTEGER NOT NULL,
      PRIMARY KEY (issuer, subject)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX oidc_identities_by_user ON oidc_identities (user_id);

    CREATE TABLE oidc_sessions (
      session_id       TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
      issuer           TEXT NOT NULL,
      subject          TEXT NOT NULL,
      sid              TEXT,
      id_token_sealed  BLOB
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX oidc_sessions_by_subject ON oidc_sessions (issuer, subject);
    CREATE INDEX oidc_sessions_by_sid ON oidc_sessions (issuer, sid);
  `,
};
