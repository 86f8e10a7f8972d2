import type { Disposition } from "../objects/object_headers.ts";
import type { Share, ShareKind, ShareState, UploadRequest, UploadTerms } from "../shares/share.ts";
import type { Database, Row } from "./database.ts";

/** A share that has no id yet. */
export interface NewShare
  extends Omit<Share, "id" | "downloadCount" | "revokedAt" | "lastDownloadAt" | "upload" | "keyCount"> {
  /** What is selected, for the kind `selection`: keys, and prefixes, which end in `/`. */
  readonly keys: readonly string[];
  readonly upload: UploadTerms | null;
}

/** Fields of a share that can be changed. */
export type ShareChanges = Partial<
  & Pick<Share, "expiresAt" | "maxDownloads" | "passwordHash" | "disposition" | "note">
  & UploadTerms
>;

/** Which shares are meant; a missing field means any. */
export interface ShareFilter {
  readonly createdBy?: string;
  readonly backendId?: string;
  readonly bucket?: string;
  readonly key?: string;
  /** The key of an object: the shares of it, and of the folders and selections that hold it. */
  readonly reaches?: string;
  readonly kind?: ShareKind;
  readonly state?: ShareState;
  readonly hasPassword?: boolean;
  /** Milliseconds since the epoch; a share that never expires does not match. */
  readonly expiresBefore?: number;
}

/** Appends a share and returns it. */
export function insertShare(database: Database, share: NewShare): Share {
  const { upload } = share;
  return database.transaction(() => {
    const row = database.get(
      `INSERT INTO shares (code, kind, backend_id, bucket, key, version_id, disposition, note, password_hash,
                           max_downloads, created_by, created_at, expires_at, upload_title, upload_message, max_uploads,
                           max_upload_bytes, max_file_bytes, keep_folders, key_count)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
      share.code,
      share.kind,
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
      upload?.title ?? "",
      upload?.message ?? "",
      upload?.maxUploads ?? 0,
      upload?.maxBytes ?? 0,
      upload?.maxFileBytes ?? null,
      Number(upload?.keepFolders ?? false),
      share.keys.length,
    ) as Row;
    for (const key of share.keys) {
      database.run("INSERT INTO share_keys (share_id, key) VALUES (?, ?)", Number(row.id), key);
    }
    return toShare(row);
  });
}

/** What is selected by a share of the kind `selection`: keys, and prefixes, which end in `/`, in the order of storage. */
export function listShareKeys(database: Database, id: number): string[] {
  return database.all("SELECT key FROM share_keys WHERE share_id = ? ORDER BY key", id)
    .map(({ key }) => String(key));
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
  set("upload_title", changes.title);
  set("upload_message", changes.message);
  set("max_uploads", changes.maxUploads);
  set("max_upload_bytes", changes.maxBytes);
  set("max_file_bytes", changes.maxFileBytes);
  set("keep_folders", changes.keepFolders === undefined ? undefined : Number(changes.keepFolders));
  if (assignments.length === 0) return;
  database.run(`UPDATE shares SET ${assignments.join(", ")} WHERE id = ?`, ...values, id);
}

/** Revokes every share that matches and is not revoked yet; returns how many. What they select is forgotten. */
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
  const matching = where.join(" AND ");
  return database.transaction(() => {
    database.run(
      `DELETE FROM share_keys WHERE share_id IN (SELECT id FROM shares WHERE ${matching})`,
      ...values,
    );
    return database.run(`UPDATE shares SET revoked_at = ? WHERE ${matching}`, now, ...values);
  });
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

/** Counts a file of `bytes` that was sent. */
export function countUpload(database: Database, id: number, bytes: number, now: number): void {
  database.run(
    `UPDATE shares SET upload_count = upload_count + 1, uploaded_bytes = uploaded_bytes + ?, last_upload_at = ?
     WHERE id = ?`,
    bytes,
    now,
    id,
  );
}

/** Whether a share's creator may do what it lets others do. */
const creatorMay = `EXISTS (SELECT 1 FROM users WHERE users.id = shares.created_by AND users.enabled = 1
  AND (shares.kind <> 'upload' OR users.role <> 'readonly'))`;
const expired = "(expires_at IS NOT NULL AND expires_at <= ?)";
const exhausted = `((max_downloads IS NOT NULL AND download_count >= max_downloads)
  OR (kind = 'upload' AND (upload_count >= max_uploads OR uploaded_bytes >= max_upload_bytes)))`;

/** Whether recipients reach an object; each `?` is its key. */
const reaches = `(kind = 'object' AND key = ? OR kind = 'folder' AND substr(?, 1, length(key)) = key
  OR kind = 'selection' AND EXISTS (SELECT 1 FROM share_keys WHERE share_id = shares.id AND
    (share_keys.key = ? OR substr(share_keys.key, -1) = '/' AND substr(?, 1, length(share_keys.key)) = share_keys.key)))`;

/** The conditions of `shareState`, in its order; each `?` is the present. */
const stateConditions: Record<ShareState, readonly string[]> = {
  revoked: ["revoked_at IS NOT NULL"],
  suspended: ["revoked_at IS NULL", `NOT ${creatorMay}`],
  expired: ["revoked_at IS NULL", creatorMay, expired],
  exhausted: ["revoked_at IS NULL", creatorMay, `NOT ${expired}`, exhausted],
  active: ["revoked_at IS NULL", creatorMay, `NOT ${expired}`, `NOT ${exhausted}`],
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
  equals("kind", filter.kind);
  if (filter.reaches !== undefined) {
    where.push(reaches);
    values.push(filter.reaches, filter.reaches, filter.reaches, filter.reaches);
  }
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
    kind: row.kind as ShareKind,
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
    keyCount: Number(row.key_count),
    upload: row.kind === "upload" ? toUploadRequest(row) : null,
  };
}

function toUploadRequest(row: Row): UploadRequest {
  return {
    title: String(row.upload_title),
    message: String(row.upload_message),
    maxUploads: Number(row.max_uploads),
    maxBytes: Number(row.max_upload_bytes),
    maxFileBytes: numberOrNull(row.max_file_bytes),
    keepFolders: row.keep_folders === 1,
    uploadCount: Number(row.upload_count),
    uploadedBytes: Number(row.uploaded_bytes),
    lastUploadAt: numberOrNull(row.last_upload_at),
  };
}

function textOrNull(value: Row[string]): string | null {
  return value === null ? null : String(value);
}

function numberOrNull(value: Row[string]): number | null {
  return value === null ? null : Number(value);
}
