import type { Database, Row } from "./database.ts";

/** Who somebody is at an identity provider. */
export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** A session that began with a sign-in at an identity provider. */
export interface OidcSession extends OidcIdentity {
  readonly sessionId: string;
  /** The provider's name of its own session, when it tells one. */
  readonly sid: string | null;
  /** The ID token as `secrets/seal.ts` makes it; `null` when it was not kept. */
  readonly idTokenSealed: Uint8Array | null;
}

/** The id of the user with this identity, or `null`. */
export function findOidcUser(database: Database, { issuer, subject }: OidcIdentity): string | null {
  const row = database.get(
    "SELECT user_id FROM oidc_identities WHERE issuer = ? AND subject = ?",
    issuer,
    subject,
  );
  return row === undefined ? null : String(row.user_id);
}

/** Gives a user an identity that nobody has. */
export function insertOidcIdentity(
  database: Database,
  { issuer, subject }: OidcIdentity,
  userId: string,
  createdAt: number,
): void {
  database.run(
    "INSERT INTO oidc_identities (issuer, subject, user_id, created_at) VALUES (?, ?, ?, ?)",
    issuer,
    subject,
    userId,
    createdAt,
  );
}

/** Keeps what the provider said of a session; the row goes with the session. */
export function insertOidcSession(database: Database, session: OidcSession): void {
  database.run(
    "INSERT INTO oidc_sessions (session_id, issuer, subject, sid, id_token_sealed) VALUES (?, ?, ?, ?, ?)",
    session.sessionId,
    session.issuer,
    session.subject,
    session.sid,
    session.idTokenSealed,
  );
}

/** What the provider said of a session; `null` for one that did not begin there. */
export function findOidcSession(database: Database, sessionId: string): OidcSession | null {
  const row = database.get("SELECT * FROM oidc_sessions WHERE session_id = ?", sessionId);
  return row === undefined ? null : toOidcSession(row);
}

/** Removes the sessions that began at any other provider than `issuer`. */
export function deleteSessionsOfOtherIssuers(database: Database, issuer: string): void {
  database.run(
    "DELETE FROM sessions WHERE id IN (SELECT session_id FROM oidc_sessions WHERE issuer <> ?)",
    issuer,
  );
}

/** Every session of an identity. */
export function listOidcSessions(database: Database, { issuer, subject }: OidcIdentity): OidcSession[] {
  return database.all("SELECT * FROM oidc_sessions WHERE issuer = ? AND subject = ?", issuer, subject)
    .map(toOidcSession);
}

/** Every session here that began within one session at the provider. */
export function listOidcSessionsOfSid(database: Database, issuer: string, sid: string): OidcSession[] {
  return database.all("SELECT * FROM oidc_sessions WHERE issuer = ? AND sid = ?", issuer, sid)
    .map(toOidcSession);
}

function toOidcSession(row: Row): OidcSession {
  return {
    sessionId: String(row.session_id),
    issuer: String(row.issuer),
    subject: String(row.subject),
    sid: row.sid === null ? null : String(row.sid),
    idTokenSealed: row.id_token_sealed as Uint8Array | null,
  };
}
