import { errorMessage } from "../error_message.ts";
import type { Logger } from "../logging/logger.ts";
import { deleteAuditEventsBefore } from "../store/audit_repository.ts";
import type { Database } from "../store/database.ts";

/** What {@link AuditRetention} works with. */
export interface AuditRetentionDeps {
  readonly database: Database;
  /** Age in milliseconds at which a row is removed; 0 keeps all. */
  readonly retentionMs: number;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

const second = 1_000;
const hour = 3_600_000;
const day = 24 * hour;

/** The first sweep comes this long after the start, when the service has begun to answer. */
const firstSweepAfter = second;

/** Time of day in UTC of all later ones. */
const sweepHour = 3;

/** Rows that are removed in one transaction: a request waits for one at most. */
const batchSize = 200;

/** Pages of the file that are given back in one step. */
const vacuumPages = 500;

/** Up to this share of the file, free pages are left for the rows to come. */
const spareShare = 0.25;

/** The longest that a timer of JavaScript can wait is 24.8 days; this is far below. */
const longestPause = hour;

/**
 * Removes audit rows that are older than `audit.retention`, soon after the start and each night at 03:00 UTC. Between two
 * small transactions everybody else has at least as long as they took. What a sweep leaves, because the program ends,
 * the next one removes.
 */
export class AuditRetention {
  readonly #deps: AuditRetentionDeps;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;
  #removed = 0;

  constructor(deps: AuditRetentionDeps) {
    this.#deps = deps;
  }

  /** Rows that have been removed since the start. */
  get removed(): number {
    return this.#removed;
  }

  /** Begins to sweep, when rows are not kept for ever. */
  start(): void {
    if (this.#deps.retentionMs > 0) this.#timer = setTimeout(() => this.#sweep(), firstSweepAfter);
  }

  /** Ends sweeping, also in the middle of one. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #waitFor(time: number): void {
    if (this.#isStopped) return;
    const pause = time - this.#deps.clock();
    if (pause <= 0) return this.#sweep();
    this.#timer = setTimeout(() => this.#waitFor(time), Math.min(pause, longestPause));
  }

  #sweep(): void {
    const { retentionMs, clock } = this.#deps;
    const before = clock() - retentionMs;
    const found = this.#removed;
    const step = () => {
      const startedAt = performance.now();
      const goesOn = this.#takeStep(before);
      if (goesOn) {
        this.#timer = setTimeout(step, performance.now() - startedAt);
        return;
      }
      this.#report(this.#removed - found);
      this.#waitFor(nextSweep(clock()));
    };
    step();
  }

  /** Removes a batch of rows or, when there is none left, gives back a part of the file; false when all is done. */
  #takeStep(before: number): boolean {
    const { database, logger } = this.#deps;
    try {
      const removed = deleteAuditEventsBefore(database, before, batchSize);
      this.#removed += removed;
      return removed > 0 || database.shrink(vacuumPages, spareShare);
    } catch (error) {
      logger.error("old audit rows could not be removed", { error: errorMessage(error) });
      return false;
    }
  }

  #report(rows: number): void {
    if (rows > 0) this.#deps.logger.info("old audit rows removed", { rows });
  }
}

/** The next time after `now` at which rows are removed, in milliseconds since the epoch: 03:00 UTC. */
export function nextSweep(now: number): number {
  const today = Math.floor(now / day) * day + sweepHour * hour;
  return today > now ? today : today + day;
}
