import { requireBucket } from "../backends/bucket_exists.ts";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { Problem } from "../problem.ts";
import { listSizeTrackedBuckets } from "../store/bucket_settings_repository.ts";
import type { Database } from "../store/database.ts";
import { listUsageSamples, type UsageSample } from "../store/quotas_repository.ts";
import type { BucketCount, BucketLimits } from "./account.ts";
import type { BucketAccounts } from "./accounts.ts";
import { dayOf } from "./day.ts";
import type { UsageCounter } from "./counter.ts";
import type { UsageScanner } from "./scanner.ts";

/** What {@link QuotaService} needs. */
export interface QuotaServiceDeps {
  readonly accounts: BucketAccounts;
  readonly counter: UsageCounter;
  readonly scanner: UsageScanner;
  readonly database: Database;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** The quota of a bucket and what the bucket holds. */
export interface QuotaStatus {
  /** `undefined` without a quota. */
  readonly limits: BucketLimits | undefined;
  /** Set when the quota is one of Kubernetes, which goes before that of the dashboard. */
  readonly source?: "kubernetes";
  /** Milliseconds since the epoch; of a quota of the dashboard. */
  readonly updatedAt?: number;
  /** Name of the user who set it. */
  readonly updatedBy?: string;
  /** `undefined` before the first count. */
  readonly usage: BucketCount | undefined;
}

/** A bucket with size tracking or a quota. */
export interface TrackedBucket {
  readonly bucket: string;
  /** `undefined` before the first count. */
  readonly usage: BucketCount | undefined;
}

/** Quotas and usage of buckets, as the dashboard shows and sets them. */
export class QuotaService {
  readonly #deps: QuotaServiceDeps;

  constructor(deps: QuotaServiceDeps) {
    this.#deps = deps;
  }

  /** The quota of a bucket. Throws 404 `not_found` for a bucket that does not exist, as all of these do. */
  async describe(scope: BucketScope): Promise<QuotaStatus> {
    await requireBucket(scope);
    return this.#status(scope);
  }

  /** Sets the quota of a bucket; `updatedBy` is the name of the user who does. */
  async set(scope: BucketScope, limits: BucketLimits, updatedBy: string): Promise<QuotaStatus> {
    await requireBucket(scope);
    const { accounts, scanner, clock } = this.#deps;
    const id = idOf(scope);
    accounts.setQuota({ ...id, ...limits, updatedAt: clock(), updatedBy });
    const account = accounts.open(id.backend, id.bucket);
    if (!account.isComplete) void scanner.countInBackground(account);
    return this.#status(scope);
  }

  /** Removes the quota that was set in the dashboard, if there is one. */
  async delete(scope: BucketScope): Promise<void> {
    await requireBucket(scope);
    this.#deps.accounts.deleteQuota(idOf(scope));
  }

  /** Counts a bucket now and waits for the result; `signal` stops it. */
  async recompute(scope: BucketScope, signal?: AbortSignal): Promise<QuotaStatus> {
    await requireBucket(scope);
    const { backend, bucket } = idOf(scope);
    await this.#deps.counter.recount(this.#deps.accounts.open(backend, bucket), signal);
    return this.#status(scope);
  }

  /**
   * What a bucket held on each of the last `days` days on which it was counted, oldest first. Throws 400
   * `size_tracking_disabled` for a bucket that nobody counts: it has neither size tracking nor a quota.
   */
  async samples(scope: BucketScope, days: number): Promise<UsageSample[]> {
    await requireBucket(scope);
    const { accounts, database, clock } = this.#deps;
    const id = idOf(scope);
    if (!accounts.hasQuota(id) && !listSizeTrackedBuckets(database, id.backend).has(id.bucket)) {
      throw new Problem(
        400,
        "size_tracking_disabled",
        "The bucket is not counted: turn on size tracking, or set a quota.",
      );
    }
    return listUsageSamples(database, id, dayOf(clock(), 1 - days));
  }

  /** The buckets of a backend that are counted now and then, with what they hold as far as they were counted already. */
  tracked(backend: string): TrackedBucket[] {
    const { accounts, database } = this.#deps;
    const tracked = listSizeTrackedBuckets(database, backend);
    for (const { id } of accounts.list()) {
      if (id.backend === backend && accounts.hasQuota(id)) tracked.add(id.bucket);
    }
    return [...tracked].map((bucket) => ({ bucket, usage: this.usage(backend, bucket) }));
  }

  /** The caps of a bucket, wherever they were set; `undefined` for none. */
  limits(backend: string, bucket: string): BucketLimits | undefined {
    return this.#deps.accounts.limits(backend, bucket);
  }

  /** What a bucket holds; `undefined` when it was never counted. */
  usage(backend: string, bucket: string): BucketCount | undefined {
    return this.#deps.accounts.find(backend, bucket)?.usage;
  }

  /** Begins to count a bucket. */
  countInBackground(backend: string, bucket: string): void {
    void this.#deps.scanner.countInBackground(this.#deps.accounts.open(backend, bucket));
  }

  /** Forgets a bucket that was deleted. */
  forget(backend: string, bucket: string): void {
    this.#deps.accounts.forget(backend, bucket);
  }

  #status(scope: BucketScope): QuotaStatus {
    const { backend, bucket } = idOf(scope);
    const { accounts } = this.#deps;
    const usage = this.usage(backend, bucket);
    const override = accounts.override(backend, bucket);
    if (override !== undefined) return { limits: override, source: "kubernetes", usage };
    const quota = accounts.quota(backend, bucket);
    if (quota === undefined) return { limits: undefined, usage };
    const { updatedAt, updatedBy } = quota;
    return { limits: quota, updatedAt, updatedBy, usage };
  }
}

function idOf({ connection, bucket }: BucketScope) {
  return { backend: connection.backend.id, bucket };
}
