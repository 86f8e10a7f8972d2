import type { Database } from "../store/database.ts";
import {
  type BucketId,
  deleteQuota,
  deleteUsage,
  listParts,
  listQuotas,
  putQuota,
  putUsage,
  type StoredQuota,
  takeUsage,
} from "../store/quotas_repository.ts";
import { BucketAccount, type BucketLimits } from "./account.ts";

/** A bucket whose content has grown beyond its soft cap. */
export interface SoftExcess extends BucketId {
  readonly softBytes: number;
  readonly usageBytes: number;
}

/** Caps that come from elsewhere than the dashboard, and go before those. */
export interface LimitsOverride {
  /** The caps of a bucket. */
  find(backend: string, bucket: string): BucketLimits | undefined;
  /** The buckets that have such caps. */
  list(): Iterable<BucketId>;
}

/** The accounts of all buckets of which the size matters, and their caps. */
export class BucketAccounts {
  readonly #database: Database;
  readonly #onSoftExceeded: (excess: SoftExcess) => void;
  readonly #accounts = new Map<string, BucketAccount>();
  readonly #quotas = new Map<string, StoredQuota>();
  #override: LimitsOverride | undefined;

  /** Takes over the figures of the last run. `onSoftExceeded` is called once each time a bucket passes its soft cap. */
  constructor(database: Database, onSoftExceeded: (excess: SoftExcess) => void) {
    this.#database = database;
    this.#onSoftExceeded = onSoftExceeded;
    for (const quota of listQuotas(database)) {
      this.#quotas.set(nameOf(quota.backend, quota.bucket), quota);
      this.open(quota.backend, quota.bucket);
    }
    for (const usage of takeUsage(database)) this.open(usage.backend, usage.bucket).load(usage);
    for (const part of listParts(database)) this.open(part.backend, part.bucket).pending.load(part);
  }

  /** See `QuotaLedger.setOverride`. */
  setOverride(override: LimitsOverride): void {
    this.#override = override;
  }

  /** The account of a bucket with a quota; of any other bucket, notes that something may be written past its account. */
  limited(backend: string, bucket: string): BucketAccount | undefined {
    const account = this.#accounts.get(nameOf(backend, bucket));
    const override = this.override(backend, bucket);
    if (account === undefined && override === undefined) return undefined;
    const opened = account ?? this.open(backend, bucket);
    opened.limits = capsOf(override ?? this.quota(backend, bucket));
    if (opened.limits !== undefined) return opened;
    opened.noteUnknownWrite();
    return undefined;
  }

  /** The account of a bucket, if it has one. */
  find(backend: string, bucket: string): BucketAccount | undefined {
    return this.#accounts.get(nameOf(backend, bucket));
  }

  /** The account of a bucket, a new one if it has none yet. */
  open(backend: string, bucket: string): BucketAccount {
    const name = nameOf(backend, bucket);
    let account = this.#accounts.get(name);
    if (account === undefined) {
      account = new BucketAccount({ backend, bucket }, this.#database);
      account.limits = this.limits(backend, bucket);
      this.#accounts.set(name, account);
    }
    return account;
  }

  /** Every account. */
  list(): BucketAccount[] {
    return [...this.#accounts.values()];
  }

  /** The caps that hold for a bucket; `undefined` for none. */
  limits(backend: string, bucket: string): BucketLimits | undefined {
    return capsOf(this.override(backend, bucket) ?? this.quota(backend, bucket));
  }

  /** Whether anybody has said something about the caps of a bucket, be it that there are none. */
  hasQuota({ backend, bucket }: BucketId): boolean {
    return this.override(backend, bucket) !== undefined || this.quota(backend, bucket) !== undefined;
  }

  /** The caps that go before those of the dashboard. */
  override(backend: string, bucket: string): BucketLimits | undefined {
    return this.#override?.find(backend, bucket);
  }

  /** The buckets of a backend whose caps go before those of the dashboard. */
  overridden(backend: string): string[] {
    const buckets = [...this.#override?.list() ?? []].filter((id) => id.backend === backend);
    return buckets.map(({ bucket }) => bucket);
  }

  /** The caps that were set in the dashboard. */
  quota(backend: string, bucket: string): StoredQuota | undefined {
    return this.#quotas.get(nameOf(backend, bucket));
  }

  /** Sets the caps of a bucket. */
  setQuota(quota: StoredQuota): void {
    putQuota(this.#database, quota);
    this.#quotas.set(nameOf(quota.backend, quota.bucket), quota);
    this.changed(this.open(quota.backend, quota.bucket));
  }

  /** Takes the caps away that were set in the dashboard. */
  deleteQuota(id: BucketId): void {
    deleteQuota(this.#database, id);
    this.#quotas.delete(nameOf(id.backend, id.bucket));
    this.changed(this.open(id.backend, id.bucket));
  }

  /** Forgets a bucket, or all buckets of a backend, in memory and in the database. */
  forget(backend: string, bucket?: string): void {
    deleteUsage(this.#database, backend, bucket);
    for (const [name, { id }] of this.#accounts) {
      if (id.backend !== backend || (bucket ?? id.bucket) !== id.bucket) continue;
      this.#accounts.delete(name);
      this.#quotas.delete(name);
    }
  }

  /** Looks whether a bucket has passed its soft cap. To be called whenever its figures or caps have changed. */
  changed(account: BucketAccount): void {
    account.limits = this.limits(account.id.backend, account.id.bucket);
    const { softBytes = 0 } = account.limits ?? {};
    const isExceeded = softBytes > 0 && account.usedBytes > softBytes;
    if (isExceeded === account.softExceeded) return;
    account.softExceeded = isExceeded;
    this.save(account);
    if (isExceeded) this.#onSoftExceeded({ ...account.id, softBytes, usageBytes: account.usedBytes });
  }

  /** Keeps the figures of an account; `isComplete` when the program ends and they are all there will be. */
  save(account: BucketAccount, isComplete = false): void {
    const stored = account.toStored(isComplete);
    // A bucket that was forgotten meanwhile must not come back.
    if (stored === undefined || this.find(stored.backend, stored.bucket) !== account) return;
    putUsage(this.#database, stored);
  }

  /** Keeps all figures, for the next run to go on with. */
  close(): void {
    for (const account of this.#accounts.values()) {
      this.save(account, account.limits !== undefined && account.isComplete && account.isIdle);
    }
  }
}

function capsOf(limits: BucketLimits | undefined): BucketLimits | undefined {
  return limits === undefined || (limits.softBytes === 0 && limits.hardBytes === 0) ? undefined : limits;
}

/** No id of a backend has a slash. */
function nameOf(backend: string, bucket: string): string {
  return `${backend}/${bucket}`;
}
