import type { Amount, BucketAccount } from "./account.ts";
import type { UploadId } from "../store/quotas_repository.ts";
import { uploadName, type UploadPart } from "./pending_uploads.ts";

/**
 * Room under a quota for one write. It ends by the first of {@link commit}, {@link release} and {@link keep}; any of them
 * after that does nothing.
 */
export interface Reservation {
  /** Reserves more bytes. Throws `QuotaExceededError`; what was reserved before stays reserved then. */
  grow(bytes: number): void;
  /** The write has succeeded: what was reserved is used now, or `bytes` where the write turned out to be of that size. */
  commit(bytes?: number): void;
  /** The write has failed, and it is certain that the backend has stored nothing of it. */
  release(): void;
  /**
   * The write has failed, but the backend may have stored it: it had got everything and did not answer, or not what S3
   * answers. The bytes count until the bucket is counted again. Without this, a client that always goes away just before
   * the answer could fill a bucket beyond its quota.
   */
  keep(): void;
}

/** The reservation in a bucket without a quota. */
export const unlimited: Reservation = { grow() {}, commit() {}, release() {}, keep() {} };

/** What reservations need of the ledger. */
export interface ReservationContext {
  readonly account: BucketAccount;
  /** Told when what a bucket holds has changed. */
  readonly onChange: (account: BucketAccount) => void;
}

/** What an object write or a deletion replaces or removes. */
export const noObject: Amount = { bytes: 0, objects: 0 };

/** The way of all reservations: one end, whatever it is. */
abstract class OpenReservation implements Reservation {
  readonly account: BucketAccount;
  /** The count of the bucket that was the last when the write began. */
  protected readonly phase: number;
  readonly #onChange: (account: BucketAccount) => void;
  #isOpen = true;

  constructor({ account, onChange }: ReservationContext) {
    this.account = account;
    this.phase = account.phase;
    this.#onChange = onChange;
  }

  abstract grow(bytes: number): void;

  commit(bytes?: number): void {
    this.#end(() => this.onCommit(bytes));
  }

  release(): void {
    this.#end(() => this.onRelease());
  }

  keep(): void {
    this.#end(() => this.onKeep());
  }

  protected abstract onCommit(bytes?: number): void;
  protected abstract onRelease(): void;
  protected abstract onKeep(): void;

  #end(settle: () => void): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    settle();
    this.#onChange(this.account);
  }
}

/** Room for one object. */
export class ObjectReservation extends OpenReservation {
  readonly #key: string;
  #bytes = 0;
  /** The object that was there before. */
  replaced = noObject;

  /** Throws `QuotaExceededError`. */
  constructor(context: ReservationContext, key: string, bytes: number) {
    super(context);
    this.grow(bytes);
    this.#key = key;
    this.account.keys.begin(key);
  }

  grow(bytes: number): void {
    this.account.hold(bytes);
    this.#bytes += bytes;
  }

  protected onCommit(bytes = this.#bytes): void {
    this.#record(bytes, true);
  }

  protected onKeep(): void {
    this.#record(this.#bytes, false);
  }

  protected onRelease(): void {
    this.account.free(this.#bytes);
    this.account.keys.end(this.#key);
  }

  #record(bytes: number, isCertain: boolean): void {
    this.account.free(this.#bytes);
    // Of two writes to one key at once, both may take off the same object that was there before, but only one replaced it.
    const wasAlone = this.account.keys.end(this.#key);
    this.account.record({ bytes, objects: 1 }, isCertain && wasAlone ? this.replaced : noObject, this.phase);
  }
}

/** Room for one part of a multipart upload. Its bytes count as long as the upload is neither completed nor aborted. */
export class PartReservation extends OpenReservation {
  readonly #part: UploadPart;
  /** Size of the part with this number that was there before. */
  readonly #before: number | undefined;
  #bytes = 0;

  /** Throws `QuotaExceededError`. */
  constructor(context: ReservationContext, part: UploadPart, bytes: number) {
    super(context);
    this.#part = part;
    this.#before = this.account.pending.partBytes(part);
    this.grow(bytes);
    this.account.parts.begin(this.#name());
    this.account.uploads.begin(uploadName(part));
  }

  grow(bytes: number): void {
    const { pending } = this.account;
    const current = pending.partBytes(this.#part) ?? 0;
    const needed = Math.max(current, this.#bytes + bytes);
    this.account.requireRoom(needed - current);
    // In the database before it is sent: a part that the backend has outlives the end of this program.
    pending.put(this.#part, needed);
    this.#bytes += bytes;
  }

  protected onCommit(bytes = this.#bytes): void {
    const { pending } = this.account;
    // Of two parts with one number at once, nobody knows which one the backend keeps.
    const atLeast = this.#end() ? 0 : pending.partBytes(this.#part) ?? 0;
    pending.put(this.#part, Math.max(bytes, atLeast));
  }

  protected onRelease(): void {
    const { pending } = this.account;
    if (!this.#end() || pending.partBytes(this.#part) === undefined) return;
    if (this.#before === undefined) pending.remove(this.#part);
    else pending.put(this.#part, this.#before);
  }

  protected onKeep(): void {
    this.#end();
  }

  #end(): boolean {
    this.account.uploads.end(uploadName(this.#part));
    return this.account.parts.end(this.#name());
  }

  #name(): string {
    return `${this.#part.partNumber} ${uploadName(this.#part)}`;
  }
}

/** The upload that a {@link CompletionReservation} completes. */
export interface UploadCompletion extends UploadId {
  /** The parts that make up the object; all that were sent unless told. */
  readonly partNumbers?: readonly number[];
}

/** The end of a multipart upload: its parts become an object. Unless that succeeds, they stay counted as parts. */
export class CompletionReservation extends OpenReservation {
  readonly #completion: UploadCompletion;
  /** The object that was there before. */
  replaced = noObject;

  constructor(context: ReservationContext, completion: UploadCompletion) {
    super(context);
    this.#completion = completion;
    this.account.keys.begin(completion.key);
    this.account.uploads.begin(uploadName(completion));
  }

  grow(): void {}

  protected onCommit(size?: number): void {
    const partBytes = this.account.pending.end(this.#completion, this.#completion.partNumbers);
    const replaced = this.#end() ? this.replaced : noObject;
    this.account.record({ bytes: size ?? partBytes, objects: 1 }, replaced, this.phase);
  }

  protected onRelease(): void {
    this.#end();
  }

  protected onKeep(): void {
    this.#end();
  }

  #end(): boolean {
    this.account.uploads.end(uploadName(this.#completion));
    return this.account.keys.end(this.#completion.key);
  }
}

/** The deletion of objects, whose bytes are free once that has succeeded. */
export class DeletionReservation {
  readonly #account: BucketAccount;
  readonly #phase: number;
  readonly #onChange: (account: BucketAccount) => void;
  readonly #objects = new Map<string, Amount>();

  constructor({ account, onChange }: ReservationContext, keys: Iterable<string>) {
    this.#account = account;
    this.#phase = account.phase;
    this.#onChange = onChange;
    for (const key of keys) {
      if (this.#objects.has(key)) continue;
      this.#objects.set(key, noObject);
      account.keys.begin(key);
    }
  }

  /** The keys, each once. */
  keys(): string[] {
    return [...this.#objects.keys()];
  }

  /** Says what an object holds. */
  setObject(key: string, object: Amount): void {
    this.#objects.set(key, object);
  }

  /** See {@link Deletion.end}. */
  end(deleted: Iterable<string>): void {
    const keys = new Set(deleted);
    for (const [key, object] of this.#objects) {
      const wasAlone = this.#account.keys.end(key);
      if (wasAlone && keys.has(key)) this.#account.record(noObject, object, this.#phase);
    }
    this.#objects.clear();
    this.#onChange(this.#account);
  }

  /** Ends the deletion of versions: counts what is the current object now, for those keys of which that is known. */
  endWith(current: ReadonlyMap<string, Amount>): void {
    for (const [key, before] of this.#objects) {
      const wasAlone = this.#account.keys.end(key);
      const now = current.get(key) ?? before;
      this.#account.record(excess(now, before), wasAlone ? excess(before, now) : noObject, this.#phase);
    }
    this.#objects.clear();
    this.#onChange(this.#account);
  }
}

/** How much more one amount is than another. */
function excess(amount: Amount, other: Amount): Amount {
  return {
    bytes: Math.max(0, amount.bytes - other.bytes),
    objects: Math.max(0, amount.objects - other.objects),
  };
}

/** A deletion under way. */
export interface Deletion {
  /** Gives back what the objects under these keys held, the only ones that are certainly deleted. Must always be called. */
  end(deleted: Iterable<string>): void;
}

/** The deletion in a bucket without a quota. */
export const uncountedDeletion: Deletion = { end() {} };

/** A deletion of single versions under way. */
export interface VersionDeletion {
  /** Counts what is the current object of each key now. Must always be called, whatever was deleted. */
  end(): Promise<void>;
}

/** The deletion of versions in a bucket without a quota. */
export const uncountedVersionDeletion: VersionDeletion = { end: () => Promise.resolve() };
