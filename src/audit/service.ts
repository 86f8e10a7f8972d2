import type { UserDirectory } from "../auth/user_directory.ts";
import {
  type AuditFilter,
  type AuditPosition,
  countAuditEvents,
  listAuditEvents,
  type StoredAuditEvent,
} from "../store/audit_repository.ts";
import type { Database } from "../store/database.ts";
import { findUserByName } from "../store/users_repository.ts";
import { csvHeader, csvLine } from "./csv.ts";
import type { AuditEventJson, AuditPage } from "./event_json.ts";
import { encodeCursor } from "./query.ts";
import type { AuditWriter } from "./writer.ts";

/** Rows are counted no further than this. */
const maxTotal = 10_000;

/** Rows that the CSV reads at a time. */
const csvPage = 500;

/** Reads the audit table. What was queued before a read is in it. */
export class AuditService {
  readonly #database: Database;
  readonly #users: UserDirectory;
  readonly #writer: AuditWriter;

  constructor(database: Database, users: UserDirectory, writer: AuditWriter) {
    this.#database = database;
    this.#users = users;
    this.#writer = writer;
  }

  /** The id of the user with this name; anything else is taken for an id. */
  userIdOf(nameOrId: string): string {
    return findUserByName(this.#database, nameOrId)?.id ?? nameOrId;
  }

  /** One page of the rows that match, newest first. */
  list(filter: AuditFilter, limit: number, position?: AuditPosition): AuditPage {
    this.#writer.flush();
    const rows = listAuditEvents(this.#database, filter, limit + 1, position);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const total = position === undefined ? countAuditEvents(this.#database, filter, maxTotal + 1) : undefined;
    return {
      events: page.map((row) => this.#toJson(row)),
      next_cursor: rows.length > limit && last !== undefined ? encodeCursor(last) : null,
      ...(total === undefined || total > maxTotal ? {} : { total }),
    };
  }

  /** Every row that matches, newest first, as the pieces of a CSV file; memory holds one page at a time. */
  *csv(filter: AuditFilter): Generator<string> {
    this.#writer.flush();
    yield csvHeader;
    let position: AuditPosition | undefined;
    while (true) {
      const rows = listAuditEvents(this.#database, filter, csvPage, position);
      if (rows.length > 0) yield rows.map((row) => csvLine(this.#toJson(row))).join("");
      if (rows.length < csvPage) return;
      position = rows[rows.length - 1];
    }
  }

  #toJson(row: StoredAuditEvent): AuditEventJson {
    return {
      id: row.id,
      timestamp: new Date(row.at).toISOString(),
      user_id: row.userId,
      username: row.userId === "" ? undefined : this.#users.find(row.userId)?.username,
      action: row.action,
      backend: row.backend,
      bucket: row.bucket,
      key: row.key,
      request_id: row.requestId,
      ip: row.ip,
      user_agent: row.userAgent,
      status: row.status,
      detail: row.detail,
    };
  }
}
