import type { Database } from "./database.ts";

/** Neither revoked nor expired; `?` is the present. */
const open = "(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?))";

/** How much of what is bounded a user has. */
export interface OpenShares {
  /** Shares that are neither revoked nor expired. */
  readonly shares: number;
  /** Keys and prefixes that are kept for selections, also for those that have expired. */
  readonly keys: number;
}

/** What a user has of what is bounded. */
export function countOpenShares(database: Database, createdBy: string, now: number): OpenShares {
  const row = database.get(
    `SELECT count(*) FILTER (WHERE ${open}) AS shares, total(key_count) AS keys
     FROM shares WHERE created_by = ? AND revoked_at IS NULL`,
    now,
    createdBy,
  );
  return { shares: Number(row?.shares), keys: Number(row?.keys) };
}

/** Removes a user's shares that have ended, all but the newest `kept` of them. */
export function trimEndedShares(database: Database, createdBy: string, kept: number, now: number): void {
  database.run(
    `DELETE FROM shares WHERE id IN (
       SELECT id FROM shares WHERE created_by = ? AND NOT ${open} ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    createdBy,
    now,
    kept,
  );
}

/** Removes the shares that were revoked, or expired, before a moment. */
export function removeSharesEndedBefore(database: Database, moment: number): void {
  database.run("DELETE FROM shares WHERE revoked_at < ? OR expires_at < ?", moment, moment);
}
