import type { AuditEvent } from "../audit/event.ts";
import type { Database, Row } from "./database.ts";

/** An audit row with its id. */
export interface StoredAuditEvent extends AuditEvent {
  readonly id: number;
}

/** Which audit rows are meant; a missing field means any. */
export interface AuditFilter {
  readonly userId?: string;
  /** An action, or a family of them when it ends in `*`. */
  readonly action?: string;
  readonly backend?: string;
  readonly bucket?: string;
  readonly key?: string;
  readonly status?: string;
  /** Milliseconds since the epoch, inclusive. */
  readonly from?: number;
  /** Milliseconds since the epoch, exclusive. */
  readonly to?: number;
}

/** A place in the list, newest first: the row after which the next page begins. */
export interface AuditPosition {
  readonly at: number;
  readonly id: number;
}

const columns = "at, action, user_id, backend, bucket, key, request_id, ip, user_agent, status, detail";

/** Appends one row. */
export function insertAuditEvent(database: Database, event: AuditEvent): void {
  database.run(
    `INSERT INTO audit_events (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    event.at,
    event.action,
    event.userId,
    event.backend,
    event.bucket,
    event.key,
    event.requestId,
    event.ip,
    event.userAgent,
    event.status,
    JSON.stringify(event.detail),
  );
}

/** The next `limit` rows that match, newest first, after `position`. */
export function listAuditEvents(
  database: Database,
  filter: AuditFilter,
  limit: number,
  position?: AuditPosition,
): StoredAuditEvent[] {
  const { where, values } = conditions(filter);
  if (position !== undefined) {
    where.push("(at, id) < (?, ?)");
    values.push(position.at, position.id);
  }
  const rows = database.all(
    `SELECT id, ${columns} FROM audit_events ${clause(where)} ORDER BY at DESC, id DESC LIMIT ?`,
    ...values,
    limit,
  );
  return rows.map(toEvent);
}

/** How many rows match, counted no further than `limit`. */
export function countAuditEvents(database: Database, filter: AuditFilter, limit: number): number {
  const { where, values } = conditions(filter);
  const row = database.get(
    `SELECT count(*) AS total FROM (SELECT 1 FROM audit_events ${clause(where)} LIMIT ?)`,
    ...values,
    limit,
  );
  return Number(row?.total);
}

function conditions(filter: AuditFilter): { where: string[]; values: (string | number)[] } {
  const where: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, ...operands: (string | number)[]) => {
    where.push(condition);
    values.push(...operands);
  };
  if (filter.userId !== undefined) add("user_id = ?", filter.userId);
  if (filter.action?.endsWith("*")) {
    const prefix = filter.action.slice(0, -1);
    // A range in place of LIKE: it uses the index and needs no escaping.
    add("action >= ? AND action < ?", prefix, prefix + "\u{10ffff}");
  } else if (filter.action !== undefined) add("action = ?", filter.action);
  if (filter.backend !== undefined) add("backend = ?", filter.backend);
  if (filter.bucket !== undefined) add("bucket = ?", filter.bucket);
  if (filter.key !== undefined) add("key = ?", filter.key);
  if (filter.status !== undefined) add("status = ?", filter.status);
  if (filter.from !== undefined) add("at >= ?", filter.from);
  if (filter.to !== undefined) add("at < ?", filter.to);
  return { where, values };
}

function clause(where: readonly string[]): string {
  return where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`;
}

function toEvent(row: Row): StoredAuditEvent {
  return {
    id: Number(row.id),
    at: Number(row.at),
    action: String(row.action),
    userId: String(row.user_id),
    backend: String(row.backend),
    bucket: String(row.bucket),
    key: String(row.key),
    requestId: String(row.request_id),
    ip: String(row.ip),
    userAgent: String(row.user_agent),
    status: String(row.status),
    detail: JSON.parse(String(row.detail)),
  };
}
