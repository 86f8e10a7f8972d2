import type { IdentitySource, Session } from "../auth/principal.ts";
import type { Database, Row } from "./database.ts";

/** A session as it is stored: the secret of its cookie only as a SHA-256 digest. */
export type StoredSession = Omit<Session, "csrfToken">;

/** Appends a session. */
export function insertSession(database: Database, session: StoredSession, tokenHash: Uint8Array): void {
  database.run(
    `INSERT INTO sessions (id, token_hash, user_id, ip, user_agent, created_at, expires_at, last_seen_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    session.id,
    tokenHash,
    session.userId,
    session.ip,
    session.userAgent,
    session.createdAt,
    session.expiresAt,
    session.lastSeenAt,
  );
}

/** The session whose cookie has this digest, or `null`. */
export function findSession(database: Database, tokenHash: Uint8Array): StoredSession | null {
  const row = database.get("SELECT * FROM sessions WHERE token_hash = ?", tokenHash);
  return row === undefined ? null : toSession(row);
}

/** Every session of a user, the most recently used first. */
export function listSessions(database: Database, userId: string): StoredSession[] {
  return database.all("SELECT * FROM sessions WHERE user_id = ? ORDER BY last_seen_at DESC", userId)
    .map(toSession);
}

/** Stores when a session was last active. */
export function touchSession(database: Database, id: string, lastSeenAt: number): void {
  database.run("UPDATE sessions SET last_seen_at = max(last_seen_at, ?) WHERE id = ?", lastSeenAt, id);
}

/** Removes a session. */
export function deleteSession(database: Database, id: string): void {
  database.run("DELETE FROM sessions WHERE id = ?", id);
}

/** Removes every session of users whose identity comes from `source`. */
export function deleteSessionsOfSource(database: Database, source: IdentitySource): void {
  database.run(
    "DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE identity_source = ?)",
    source,
  );
}

/** How many sessions have not ended by age or by idling. */
export function countSessions(database: Database, now: number, idleTimeout: number): number {
  const row = database.get(
    "SELECT count(*) AS count FROM sessions WHERE expires_at > ? AND last_seen_at > ?",
    now,
    now - idleTimeout,
  );
  return Number(row?.count);
}

/** The sessions of one user that have not ended. */
export interface OpenSessions {
  readonly count: number;
  /** The latest activity in any of them, in milliseconds since the epoch. */
  readonly lastSeenAt: number;
}

/** The sessions that have not ended by age or by idling, by the id of their user. */
export function openSessionsByUser(
  database: Database,
  now: number,
  idleTimeout: number,
): Map<string, OpenSessions> {
  const rows = database.all(
    `SELECT user_id, count(*) AS count, max(last_seen_at) AS last_seen_at FROM sessions
     WHERE expires_at > ? AND last_seen_at > ? GROUP BY user_id`,
    now,
    now - idleTimeout,
  );
  return new Map(
    rows.map((row) => [
      String(row.user_id),
      { count: Number(row.count), lastSeenAt: Number(row.last_seen_at) },
    ]),
  );
}

/** Removes every session that ended by age or by idling. */
export function deleteEndedSessions(database: Database, now: number, idleTimeout: number): void {
  database.run("DELETE FROM sessions WHERE expires_at <= ? OR last_seen_at <= ?", now, now - idleTimeout);
}

function toSession(row: Row): StoredSession {
  return {
    id: String(row.id),
    userId: String(row.user_id),
    ip: String(row.ip),
    userAgent: String(row.user_agent),
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    lastSeenAt: Number(row.last_seen_at),
  };
}
