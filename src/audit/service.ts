import type { UserDirectory } from "../auth/user_directory.ts";
import type { AuditFilter, AuditPosition } from "../store/audit_filter.ts";
import { countAuditSteps } from "../store/audit_histogram.ts";
import { listAuditEvents, type StoredAuditEvent } from "../store/audit_repository.ts";
import type { Database } from "../store/database.ts";
import { findUserByName } from "../store/users_repository.ts";
import { csvHeader, csvLine } from "./csv.ts";
import type { AuditEventJson, AuditPage } from "./event_json.ts";
import type { AuditHistogramJson } from "./histogram_json.ts";
import { encodeCursor } from "./query.ts";
import { timestamp } from "../timestamp.ts";
import type { AuditWriter } from "./writer.ts";

/** Rows that the CSV reads at a time. */
const csvPage = 200;

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

  /**
   * One page of the rows that match, newest first. It may have fewer rows than `limit`, or none, although there are more:
   * only `next_cursor` tells.
   */
  list(filter: AuditFilter, limit: number, position?: AuditPosition): AuditPage {
    this.#writer.flush();
    const { events, next, total } = listAuditEvents(this.#database, filter, limit, position);
    return {
      events: events.map((row) => this.#toJson(row)),
      next_cursor: next === null ? null : encodeCursor(next),
      ...(total === undefined ? {} : { total }),
    };
  }

  /** How the rows that match are spread over time, in at most `maxSteps` steps up to `now`. */
  histogram(filter: AuditFilter, maxSteps: number, now: number): AuditHistogramJson {
    this.#writer.flush();
    const { stepMs, steps, countedFrom, isEstimated } = countAuditSteps(
      this.#database,
      filter,
      maxSteps,
      now,
    );
    const sum = (field: "ok" | "failed") => steps.reduce((total, step) => total + step[field], 0);
    return {
      step_seconds: stepMs / 1000,
      steps: steps.map((step) => ({ ...step, at: timestamp(step.at) })),
      ok: sum("ok"),
      failed: sum("failed"),
      counted_from: countedFrom === null ? null : timestamp(countedFrom),
      estimated: isEstimated,
    };
  }

  /**
   * Every row that matches, newest first, as the pieces of a CSV file; memory holds one page at a time. Rows that are
   * added meanwhile are not in it, rows that are removed meanwhile are missing. Between two pages other requests have
   * their turn.
   */
  async *csv(filter: AuditFilter): AsyncGenerator<string> {
    this.#writer.flush();
    yield csvHeader;
    let position: AuditPosition | null | undefined;
    while (position !== null) {
      const { events, next } = listAuditEvents(this.#database, filter, csvPage, position);
      position = next;
      if (events.length > 0) yield events.map((row) => csvLine(this.#toJson(row))).join("");
      await nextTurn();
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

/** Resolves when the event loop has seen to everything else that is ready. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
