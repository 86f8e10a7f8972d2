import type { Database } from "./database.ts";

/** Times of the newest failures of a name since `since`, newest first, `limit` at most. */
export function recentLoginFailures(
  database: Database,
  nameHash: Uint8Array,
  since: number,
  limit: number,
): number[] {
  return database.all(
    "SELECT failed_at FROM login_failures WHERE name_hash = ? AND failed_at > ? ORDER BY failed_at DESC LIMIT ?",
    nameHash,
    since,
    limit,
  ).map((row) => Number(row.failed_at));
}

/** Notes a failure. */
export function insertLoginFailure(database: Database, nameHash: Uint8Array, at: number): void {
  database.run("INSERT INTO login_failures (name_hash, failed_at) VALUES (?, ?)", nameHash, at);
}

/** Forgets a name's failures. */
export function deleteLoginFailures(database: Database, nameHash: Uint8Array): void {
  database.run("DELETE FROM login_failures WHERE name_hash = ?", nameHash);
}

/** Forgets failures of any name from before `before`. */
export function deleteOldLoginFailures(database: Database, before: number): void {
  database.run("DELETE FROM login_failures WHERE failed_at <= ?", before);
}
