import { findBucket } from "../backends/bucket_scope.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import type { UploadId } from "../store/quotas_repository.ts";
import type { Amount, BucketAccount } from "./account.ts";
import type { BucketAccounts, LimitsOverride } from "./accounts.ts";
import { findObject } from "./count.ts";
import type { UsageCounter } from "./counter.ts";
import type { UploadPart } from "./pending_uploads.ts";
import {
  CompletionReservation,
  type Deletion,
  DeletionReservation,
  noObject,
  ObjectReservation,
  PartReservation,
  type Reservation,
  type ReservationContext,
  uncountedDeletion,
  uncountedVersionDeletion,
  unlimited,
  type UploadCompletion,
  type VersionDeletion,
} from "./reservation.ts";

/** What {@link QuotaLedger} needs. */
export interface QuotaLedgerDeps {
  readonly accounts: BucketAccounts;
  readonly counter: UsageCounter;
  readonly registry: BackendRegistry;
}

/** How many objects are looked at together. */
const lookups = 16;

/**
 * Has the say over what may be stored: whoever lets bytes in reserves them here first. What a bucket with a quota holds is
 * counted by listing it before the first decision; from then on it is known from what is stored and deleted through this
 * program, and counted again now and then. Only current versions count, and what is stored past this program counts from
 * the next count on. A bucket without a quota costs a look into a map, and its reservations are no promises.
 */
export class QuotaLedger {
  readonly #accounts: BucketAccounts;
  readonly #counter: UsageCounter;
  readonly #registry: BackendRegistry;
  readonly #onChange = (account: BucketAccount) => this.#accounts.changed(account);

  constructor({ accounts, counter, registry }: QuotaLedgerDeps) {
    this.#accounts = accounts;
    this.#counter = counter;
    this.#registry = registry;
  }

  /** Asks `override` for the caps of each bucket from now on; where it knows none, the dashboard's hold. */
  setOverride(override: LimitsOverride): void {
    this.#accounts.setOverride(override);
  }

  /** Whether a bucket has a quota. Without one, nobody needs to know the size of what is written. */
  isLimited(backend: string, bucket: string): boolean {
    return this.#accounts.limits(backend, bucket) !== undefined;
  }

  /**
   * Reserves room for an object of `bytes` bytes, to be called before any of it is sent to the backend. Throws
   * `QuotaExceededError` when it does not fit together with all that is under way, `UsageUnknownError` when that cannot be
   * told. The whole object has to fit: what it replaces is free only when the write has succeeded.
   */
  reserve(backend: string, bucket: string, key: string, bytes: number): Reservation | Promise<Reservation> {
    const account = this.#accounts.limited(backend, bucket);
    return account === undefined ? unlimited : this.#reserveObject(account, key, bytes);
  }

  /** {@link reserve} for a part of a multipart upload, in place of an earlier part with its number. */
  reservePart(
    backend: string,
    bucket: string,
    part: UploadPart,
    bytes: number,
  ): Reservation | Promise<Reservation> {
    const account = this.#accounts.limited(backend, bucket);
    return account === undefined ? unlimited : this.#reservePart(account, part, bytes);
  }

  /** Prepares for the completion of a multipart upload, whose parts have their room already: it refuses nothing. */
  reserveCompletion(
    backend: string,
    bucket: string,
    completion: UploadCompletion,
  ): Reservation | Promise<Reservation> {
    const account = this.#accounts.limited(backend, bucket);
    return account === undefined ? unlimited : this.#reserveCompletion(account, completion);
  }

  /** Frees the room of an upload's parts, to be called when the backend has aborted it or does not know it. */
  abortUpload(backend: string, bucket: string, upload: UploadId): void {
    const account = this.#accounts.find(backend, bucket);
    if (account === undefined) return;
    account.pending.end(upload);
    this.#accounts.changed(account);
  }

  /** Prepares for the deletion of objects, to be called before it; {@link reserveVersionDeletion} is for single versions. */
  reserveDeletion(backend: string, bucket: string, keys: Iterable<string>): Deletion | Promise<Deletion> {
    const account = this.#accounts.limited(backend, bucket);
    return account === undefined ? uncountedDeletion : this.#reserveDeletion(account, keys);
  }

  /**
   * {@link reserveDeletion} for deletions of single versions of objects with these keys. Without the latest version an older
   * one is the current object, which counts from then on, also when that is more than fits.
   */
  reserveVersionDeletion(
    backend: string,
    bucket: string,
    keys: readonly string[],
  ): VersionDeletion | Promise<VersionDeletion> {
    const account = keys.length === 0 ? undefined : this.#accounts.limited(backend, bucket);
    return account === undefined ? uncountedVersionDeletion : this.#reserveVersionDeletion(account, keys);
  }

  async #reserveObject(account: BucketAccount, key: string, bytes: number): Promise<Reservation> {
    await this.#requireDecidable(account);
    const reservation = new ObjectReservation(this.#context(account), key, bytes);
    reservation.replaced = await this.#lookUp(account, key);
    return reservation;
  }

  async #reservePart(account: BucketAccount, part: UploadPart, bytes: number): Promise<Reservation> {
    await this.#requireDecidable(account);
    return new PartReservation(this.#context(account), part, bytes);
  }

  async #reserveCompletion(account: BucketAccount, completion: UploadCompletion): Promise<Reservation> {
    const reservation = new CompletionReservation(this.#context(account), completion);
    reservation.replaced = await this.#lookUp(account, completion.key);
    return reservation;
  }

  async #reserveDeletion(account: BucketAccount, keys: Iterable<string>): Promise<Deletion> {
    const deletion = new DeletionReservation(this.#context(account), keys);
    await this.#lookUpAll(
      account,
      deletion.keys(),
      (key, object) => deletion.setObject(key, object ?? noObject),
    );
    return deletion;
  }

  async #reserveVersionDeletion(account: BucketAccount, keys: readonly string[]): Promise<VersionDeletion> {
    const deletion = new DeletionReservation(this.#context(account), keys);
    const current = new Map<string, Amount>();
    const lookUp = (onObject: (key: string, object: Amount) => void) =>
      this.#lookUpAll(account, deletion.keys(), (key, object) => {
        if (object !== undefined) onObject(key, object);
        // What could not be looked at before cannot be compared.
        else current.delete(key);
      });
    await lookUp((key, object) => {
      deletion.setObject(key, object);
      current.set(key, object);
    });
    return {
      async end() {
        await lookUp((key, object) => {
          if (current.has(key)) current.set(key, object);
        });
        deletion.endWith(current);
      },
    };
  }

  async #lookUpAll(
    account: BucketAccount,
    keys: string[],
    onObject: (key: string, object: Amount | undefined) => void,
  ): Promise<void> {
    const lookUpNext = async () => {
      for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
        onObject(key, await this.#lookAt(account, key));
      }
    };
    await Promise.all(Array.from({ length: lookups }, lookUpNext));
  }

  #context(account: BucketAccount): ReservationContext {
    return { account, onChange: this.#onChange };
  }

  /** A soft cap alone decides nothing. */
  async #requireDecidable(account: BucketAccount): Promise<void> {
    if (account.isComplete) return;
    const counted = this.#counter.ensure(account);
    if ((account.limits?.hardBytes ?? 0) > 0) await counted;
    else counted.catch(() => {});
  }

  /** An object that is about to be replaced or removed. What cannot be looked at frees nothing, until the next count. */
  async #lookUp(account: BucketAccount, key: string): Promise<Amount> {
    return await this.#lookAt(account, key) ?? noObject;
  }

  /** What there is under a key; `undefined` when it cannot be looked at. */
  async #lookAt({ id }: BucketAccount, key: string): Promise<Amount | undefined> {
    try {
      const found = await findObject(findBucket(this.#registry, id.backend, id.bucket), key);
      return found === undefined ? noObject : { bytes: found.bytes, objects: 1 };
    } catch {
      return undefined;
    }
  }
}
