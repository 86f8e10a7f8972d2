import type { Database } from "../store/database.ts";
import { insertAuditEvent } from "../store/audit_repository.ts";
import type { Logger } from "../logging/logger.ts";
import type { AuditEvent } from "./event.ts";
import { errorMessage } from "../error_message.ts";

/** A queued row is written after at most this long, in milliseconds. */
const maxDelay = 250;

/** Rows that are written in one transaction at most, and the queue length from which producers wait. */
const maxBatch = 500;

/**
 * Writes audit rows in batches. A row given to {@link record} is committed when its promise resolves and shares its
 * transaction with every other row of the same turn of the event loop; a row given to {@link enqueue} may wait up to
 * 250 ms, which is all that a `kill -9` can lose.
 */
export class AuditWriter {
  readonly #database: Database;
  readonly #logger: Logger;
  #queue: AuditEvent[] = [];
  #lost = 0;
  #waiting: PromiseWithResolvers<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #turn: ReturnType<typeof setTimeout> | null = null;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Rows that are not on disk yet. */
  get depth(): number {
    return this.#queue.length;
  }

  /** How many rows could not be written. */
  get lost(): number {
    return this.#lost;
  }

  /** Writes a row that must not be lost: logins, mutations, denials. Rejects when the store cannot take it. */
  record(event: AuditEvent): Promise<void> {
    this.#queue.push(event);
    this.#waiting ??= Promise.withResolvers();
    this.#turn ??= setTimeout(() => this.flush(), 0);
    return this.#waiting.promise;
  }

  /** Queues a row of a successful read. Resolves at once, or, while the queue is full, when it has been written. */
  async enqueue(event: AuditEvent): Promise<void> {
    if (this.#queue.length >= maxBatch) return await this.record(event);
    this.#queue.push(event);
    this.#timer ??= setTimeout(() => this.flush(), maxDelay);
  }

  /** Writes everything that is queued, now. Failures reach the callers of {@link record} and the log. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#turn !== null) clearTimeout(this.#turn);
    const batch = this.#queue;
    const waiting = this.#waiting;
    this.#queue = [];
    this.#waiting = this.#timer = this.#turn = null;
    if (batch.length === 0) return;
    try {
      this.#database.transaction(() => {
        for (const event of batch) insertAuditEvent(this.#database, bounded(event));
      });
      waiting?.resolve();
    } catch (error) {
      this.#lost += batch.length;
      this.#logger.error("audit rows could not be written", {
        rows: batch.length,
        error: errorMessage(error),
      });
      waiting?.reject(error);
    }
  }
}

/** Longest key that S3 has, in bytes; so many characters are kept of one that a request makes up. */
const maxKey = 1024;

/** More than any id of a backend or name of a bucket has. */
const maxName = 256;

/** The event without text that no object, bucket or backend can be called: refused requests have such too. */
function bounded(event: AuditEvent): AuditEvent {
  const { backend, bucket, key } = event;
  return {
    ...event,
    backend: backend.slice(0, maxName),
    bucket: bucket.slice(0, maxName),
    key: key.slice(0, maxKey),
  };
}
