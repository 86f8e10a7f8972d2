import type { Disposition } from "../objects/object_headers.ts";
import type { Share, ShareState } from "../shares/share.ts";
import type { Database, Row } from "./database.ts";

/** A share that has no id yet. */
export type NewShare = Omit<Share, "id" | "downloadCount" | "revokedAt" | "lastDownloadAt">;

/** Fields of a share that can be changed. */
export type ShareChanges = Partial<
  Pick<Share, "expiresAt" | "maxDownloads" | "passwordHash" | "disposition" | "note">
>;

/** Which shares are meant; a missing field means any. */
export interface ShareFilter {
  readonly createdBy?: string;
  readonly backendId?: string;
  readonly bucket?: string;
  readonly key?: string;
  readonly state?: ShareState;
  readonly hasPassword?: boolean;
  /** Milliseconds since the epoch; a share that never expires does not match. */
  readonly expiresBefore?: number;
}

/** Appends a share and returns it. */
export function insertShare(database: Database, share: NewShare): Share {
  const row = database.get(
    `INSERT INTO shares (code, backend_id, bucket, key, version_id, disposition, note, password_hash, max_downloads,
                         created_by, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    share.code,
    share.backendId,
    share.bucket,
    share.key,
    share.versionId,
    share.disposition,
    share.note,
    share.passwordHash,
    share.maxDownloads,
    share.createdBy,
    share.createdAt,
    share.expiresAt,
  );
  return toShare(row as Row);
}

/** The share with this id, or `null`. */
export function findShare(database: Database, id: number): Share | null {
  const row = database.get("SELECT * FROM shares WHERE id = ?", id);
  return row === undefined ? null : toShare(row);
}

/** The share with this code, or `null`. */
export function findShareByCode(database: Database, code: string): Share | null {
  const row = database.get("SELECT * FROM shares WHERE code = ?", code);
  return row === undefined ? null : toShare(row);
}

/** The next `limit` shares that match, newest first, of those older than the one with id `before`. */
export function listShares(
  database: Database,
  filter: ShareFilter,
  now: number,
  limit: number,
  before?: number,
): Share[] {
  const { where, values } = conditions(filter, now);
  if (before !== undefined) {
    where.push("id < ?");
    values.push(before);
  }
  const clause = where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`;
  const rows = database.all(`SELECT * FROM shares ${clause} ORDER BY id DESC LIMIT ?`, ...values, limit);
  return rows.map(toShare);
}

/** How many shares match. */
export function countShares(database: Database, filter: ShareFilter, now: number): number {
  const { where, values } = conditions(filter, now);
  const clause = where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`;
  return Number(database.get(`SELECT count(*) AS total FROM shares ${clause}`, ...values)?.total);
}

/** Changes the given fields of a share. */
export function updateShare(database: Database, id: number, changes: ShareChanges): void {
  const assignments: string[] = [];
  const values: (string | number | null)[] = [];
  const set = (column: string, value: string | number | null | undefined) => {
    if (value === undefined) return;
    assignments.push(`${column} = ?`);
    values.push(value);
  };
  set("expires_at", changes.expiresAt);
  set("max_downloads", changes.maxDownloads);
  set("password_hash", changes.passwordHash);
  set("disposition", changes.disposition);
  set("note", changes.note);
  if (assignments.length === 0) return;
  database.run(`UPDATE shares SET ${assignments.join(", ")} WHERE id = ?`, ...values, id);
}

/** Revokes every share that matches and is not revoked yet; returns how many. */
export function revokeShares(
  database: Database,
  filter: ShareFilter & { readonly id?: number },
  now: number,
): number {
  const { where, values } = conditions(filter, now);
  if (filter.id !== undefined) {
    where.push("id = ?");
    values.push(filter.id);
  }
  where.push("revoked_at IS NULL");
  return database.run(`UPDATE shares SET revoked_at = ? WHERE ${where.join(" AND ")}`, now, ...values);
}

/**
 * Counts a download if there may be one more, in one statement, so that however many begin at once no more get through than
 * the cap allows. Returns whether there may.
 */
export function countDownload(database: Database, id: number, now: number): boolean {
  const changed = database.run(
    `UPDATE shares SET download_count = download_count + 1, last_download_at = ?
     WHERE id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)
       AND (max_downloads IS NULL OR download_count < max_downloads)`,
    now,
    id,
    now,
  );
  return changed === 1;
}

/** Whether the account of a share's creator can be used. */
const creatorEnabled =
  "EXISTS (SELECT 1 FROM users WHERE users.id = shares.created_by AND users.enabled = 1)";
const expired = "(expires_at IS NOT NULL AND expires_at <= ?)";
const exhausted = "(max_downloads IS NOT NULL AND download_count >= max_downloads)";

/** The conditions of `shareState`, in its order; each `?` is the present. */
const stateConditions: Record<ShareState, readonly string[]> = {
  revoked: ["revoked_at IS NOT NULL"],
  suspended: ["revoked_at IS NULL", `NOT ${creatorEnabled}`],
  expired: ["revoked_at IS NULL", creatorEnabled, expired],
  exhausted: ["revoked_at IS NULL", creatorEnabled, `NOT ${expired}`, exhausted],
  active: ["revoked_at IS NULL", creatorEnabled, `NOT ${expired}`, `NOT ${exhausted}`],
};

function conditions(filter: ShareFilter, now: number): { where: string[]; values: (string | number)[] } {
  const where: string[] = [];
  const values: (string | number)[] = [];
  const equals = (column: string, value: string | undefined) => {
    if (value === undefined) return;
    where.push(`${column} = ?`);
    values.push(value);
  };
  equals("created_by", filter.createdBy);
  equals("backend_id", filter.backendId);
  equals("bucket", filter.bucket);
  equals("key", filter.key);
  if (filter.hasPassword !== undefined) {
    where.push(`password_hash IS ${filter.hasPassword ? "NOT " : ""}NULL`);
  }
  if (filter.expiresBefore !== undefined) {
    where.push("expires_at < ?");
    values.push(filter.expiresBefore);
  }
  for (const condition of filter.state === undefined ? [] : stateConditions[filter.state]) {
    where.push(condition);
    if (condition.includes("?")) values.push(now);
  }
  return { where, values };
}

function toShare(row: Row): Share {
  return {
    id: Number(row.id),
    code: String(row.code),
    backendId: String(row.backend_id),
    bucket: String(row.bucket),
    key: String(row.key),
    versionId: textOrNull(row.version_id),
    disposition: row.disposition as Disposition,
    note: String(row.note),
    passwordHash: textOrNull(row.password_hash),
    maxDownloads: numberOrNull(row.max_downloads),
    downloadCount: Number(row.download_count),
    createdBy: String(row.created_by),
    createdAt: Number(row.created_at),
    expiresAt: numberOrNull(row.expires_at),
    revokedAt: numberOrNull(row.revoked_at),
    lastDownloadAt: numberOrNull(row.last_download_at),
  };
}

function textOrNull(value: Row[string]): string | null {
  return value === null ? null : String(value);
}

function numberOrNull(value: Row[string]): number | null {
  return value === null ? null : Number(value);
}
