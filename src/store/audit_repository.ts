import type { AuditEvent } from "../audit/event.ts";
import type { AuditFilter, AuditPosition } from "./audit_filter.ts";
import { type AuditScan, countStatement, planAuditScan, positionsStatement } from "./audit_scan.ts";
import type { Database, Row } from "./database.ts";

/** An audit row with its id. */
export interface StoredAuditEvent extends AuditEvent {
  readonly id: number;
}

/** Some of the rows that match a filter. */
export interface AuditEventPage {
  /** Newest first. */
  readonly events: readonly StoredAuditEvent[];
  /** Where to go on, or `null` when nothing is left. */
  readonly next: AuditPosition | null;
  /** How many rows match, when the page is the first one and that is worth counting. */
  readonly total: number | undefined;
}

/** Rows are counted no further than this. */
const maxTotal = 10_000;

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

/**
 * The next rows that match, newest first, after `position`: `limit` of them, or fewer at the end and where finding more
 * would take long. Only `next` tells whether the end is reached.
 */
export function listAuditEvents(
  database: Database,
  filter: AuditFilter,
  limit: number,
  position?: AuditPosition,
): AuditEventPage {
  const scan = planAuditScan(database, filter, position);
  if (scan.branches.length === 0) {
    return { events: [], next: null, total: position === undefined ? 0 : undefined };
  }
  const { sql, values } = positionsStatement(scan, limit + 1);
  const found = database.allComposed(sql, ...values).map((row) => ({
    at: Number(row.at),
    id: Number(row.id),
  }));
  const shown = found.slice(0, limit);
  return {
    events: eventsAt(database, shown),
    next: found.length > limit ? shown[limit - 1] : scan.brokenOffAt,
    total: position === undefined ? countOf(database, scan) : undefined,
  };
}

/** Removes up to `limit` of the oldest rows from before `at`; returns how many. */
export function deleteAuditEventsBefore(database: Database, at: number, limit: number): number {
  return database.run(
    `DELETE FROM audit_events WHERE id IN
       (SELECT id FROM audit_events INDEXED BY audit_events_by_time WHERE at < ? ORDER BY at LIMIT ?)`,
    at,
    limit,
  );
}

/** The number of rows of a scan, or `undefined` beyond {@link maxTotal} and when the scan does not go through all. */
function countOf(database: Database, scan: AuditScan): number | undefined {
  if (scan.brokenOffAt !== null) return undefined;
  let total = 0;
  for (const branch of scan.branches) {
    const { sql, values } = countStatement(scan, branch, maxTotal + 1 - total);
    total += Number(database.get(sql, ...values)?.total);
    if (total > maxTotal) return undefined;
  }
  return total;
}

function eventsAt(database: Database, positions: readonly AuditPosition[]): StoredAuditEvent[] {
  return positions.flatMap(({ id }) => {
    const row = database.get(`SELECT id, ${columns} FROM audit_events WHERE id = ?`, id);
    return row === undefined ? [] : [toEvent(row)];
  });
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
