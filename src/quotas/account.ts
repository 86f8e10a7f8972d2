import type { Database } from "../store/database.ts";
import type { BucketId, StoredUsage } from "../store/quotas_repository.ts";
import { Overlaps } from "./overlaps.ts";
import { PendingUploads } from "./pending_uploads.ts";
import { QuotaExceededError } from "./problem.ts";

/** The caps of a bucket, in bytes; 0 is no cap. */
export interface BucketLimits {
  readonly softBytes: number;
  readonly hardBytes: number;
}

/** Some bytes in some objects. */
export interface Amount {
  readonly bytes: number;
  readonly objects: number;
}

/** What a listing of a whole bucket found. */
export interface BucketCount extends Amount {
  /** When it ended, in milliseconds since the epoch. */
  readonly at: number;
}

const nothing: Amount = { bytes: 0, objects: 0 };

/**
 * What one bucket holds: what was counted last, what was stored since, the parts of unfinished uploads, and what is
 * reserved for writes under way. Nothing in here waits, so that of many writes at once each sees all the others.
 *
 * Where two figures are possible, it is the larger one: what is written while a count runs is added to that count, although
 * the count may have seen it, and what such a write frees is not taken off. The next count puts that right.
 */
export class BucketAccount {
  /** Writes and deletions under way, by key. */
  readonly keys = new Overlaps();
  /** Parts being written, by upload and number. */
  readonly parts = new Overlaps();
  /** Uploads of which a part is being written or that are being completed. */
  readonly uploads = new Overlaps();
  readonly pending: PendingUploads;
  /** The caps that hold now; `undefined` for none. */
  limits: BucketLimits | undefined;
  /** Whether everything that was stored since the last count is known, so that a hard cap can be decided. */
  isComplete = false;
  /** Whether the soft cap was passed and that is on record. */
  softExceeded = false;
  #count: BucketCount | undefined;
  #committed = nothing;
  /** What was stored since the count under way began. */
  #gained = nothing;
  #reserved = 0;
  /** Goes up when a count begins and when it ends: odd while one runs. */
  #phase = 0;
  #unknownWrites = 0;

  constructor(readonly id: BucketId, database: Database) {
    this.pending = new PendingUploads(database, id);
  }

  /** What the bucket holds, and when that was last counted; `undefined` when it never was. */
  get usage(): BucketCount | undefined {
    if (this.#count === undefined) return undefined;
    return { bytes: this.usedBytes, objects: this.#objects(), at: this.#count.at };
  }

  /** What the bucket holds in bytes, without what is reserved; only what was stored since the start before a first count. */
  get usedBytes(): number {
    return Math.max(0, (this.#count?.bytes ?? 0) + this.#committed.bytes) + this.pending.bytes;
  }

  /** Whether nothing is being written. */
  get isIdle(): boolean {
    return this.#reserved === 0 && this.keys.isEmpty && this.parts.isEmpty;
  }

  /** The state of counts by which {@link record} tells whether one ran meanwhile. */
  get phase(): number {
    return this.#phase;
  }

  /** Throws {@link QuotaExceededError} when `bytes` more do not fit under the hard cap. Nothing always fits. */
  requireRoom(bytes: number): void {
    const hardBytes = this.limits?.hardBytes ?? 0;
    const usageBytes = this.usedBytes + this.#reserved;
    if (hardBytes === 0 || bytes <= 0 || usageBytes + bytes <= hardBytes) return;
    throw new QuotaExceededError({ bucket: this.id.bucket, hardBytes, usageBytes, requestedBytes: bytes });
  }

  /** Reserves bytes for a write under way. Throws {@link QuotaExceededError}. */
  hold(bytes: number): void {
    this.requireRoom(bytes);
    this.#reserved += bytes;
  }

  /** Gives back what {@link hold} reserved. */
  free(bytes: number): void {
    this.#reserved -= bytes;
  }

  /**
   * Adds what a write has stored and takes off what that has removed, unless a count ran since the write began, at `phase`:
   * it may have missed what was removed already.
   */
  record(stored: Amount, removed: Amount, phase: number): void {
    this.#committed = plus(this.#committed, stored);
    if (this.#isCounting()) this.#gained = plus(this.#gained, stored);
    else if (phase === this.#phase) this.#committed = minus(this.#committed, removed);
  }

  /** Notes a write whose size is not looked at, since the bucket has no quota. */
  noteUnknownWrite(): void {
    this.isComplete = false;
    this.#unknownWrites++;
  }

  /** Begins a count. The result takes what the count found, or `undefined` when it failed. */
  beginCount(): (count: BucketCount | undefined) => void {
    const unknownWrites = this.#unknownWrites;
    this.#phase++;
    this.#gained = nothing;
    return (count) => {
      this.#phase++;
      if (count === undefined) return;
      this.#count = count;
      this.#committed = this.#gained;
      this.isComplete = unknownWrites === this.#unknownWrites;
    };
  }

  /** Takes over the figures of the program's last run. */
  load(stored: StoredUsage): void {
    this.#count = { bytes: stored.bytes, objects: stored.objects, at: stored.computedAt };
    this.#committed = { bytes: stored.committedBytes, objects: stored.committedObjects };
    this.isComplete = stored.complete;
    this.softExceeded = stored.softExceeded;
  }

  /** The figures for the program's next run; `undefined` before the first count. */
  toStored(complete: boolean): StoredUsage | undefined {
    if (this.#count === undefined) return undefined;
    return {
      ...this.id,
      bytes: this.#count.bytes,
      objects: this.#count.objects,
      computedAt: this.#count.at,
      committedBytes: this.#committed.bytes,
      committedObjects: this.#committed.objects,
      complete,
      softExceeded: this.softExceeded,
    };
  }

  #objects(): number {
    return Math.max(0, (this.#count?.objects ?? 0) + this.#committed.objects);
  }

  #isCounting(): boolean {
    return this.#phase % 2 === 1;
  }
}

function plus(first: Amount, second: Amount): Amount {
  return { bytes: first.bytes + second.bytes, objects: first.objects + second.objects };
}

function minus(first: Amount, second: Amount): Amount {
  return { bytes: first.bytes - second.bytes, objects: first.objects - second.objects };
}
