import { CreateBucketCommand, DeleteBucketCommand, ListBucketsCommand } from "@aws-sdk/client-s3";
import { bucketExists, requireBucket } from "../backends/bucket_exists.ts";
import type { BucketScope } from "../backends/bucket_scope.ts";
import type { S3Connection } from "../backends/s3_client.ts";
import { conflict, Problem } from "../problem.ts";
import type { BucketCount, BucketLimits } from "../quotas/account.ts";
import type { QuotaService } from "../quotas/service.ts";
import {
  deleteBucketSettings,
  listSizeTrackedBuckets,
  setSizeTracked,
} from "../store/bucket_settings_repository.ts";
import type { Database } from "../store/database.ts";

/** A bucket as it is listed. */
export interface BucketSummary {
  readonly name: string;
  readonly createdAt?: Date;
  readonly sizeTracked: boolean;
  /** What it holds, when its size is tracked or it has a quota, and it was counted before. */
  readonly usage?: BucketCount;
  readonly limits?: BucketLimits;
  /** Whether anyone may read it at the S3 endpoint, without a credential. */
  readonly isAnonymous: boolean;
}

/** What a new bucket is to be like. */
export interface NewBucket {
  /** The backend's own unless told. */
  readonly region?: string;
  /** Whether versions can be locked against deletion, for which S3 keeps versions for good. */
  readonly objectLock?: boolean;
}

/** Is told of a bucket of which something has changed. */
type BucketListener = (backendId: string, bucket: string) => void;

/** Most pages of a list of buckets that are read; each has up to 10,000. */
const maxPages = 100;

/** Buckets of the backends, and what is kept about them here. */
export class BucketService {
  readonly #database: Database;
  readonly #quotas: QuotaService;
  readonly #isAnonymous: (backendId: string, bucket: string) => boolean;
  readonly #createListeners: BucketListener[] = [];
  readonly #deleteListeners: BucketListener[] = [];

  /** `isAnonymous` tells whether a bucket is open to everyone at the S3 endpoint. */
  constructor(
    database: Database,
    quotas: QuotaService,
    isAnonymous: (backendId: string, bucket: string) => boolean,
  ) {
    this.#database = database;
    this.#quotas = quotas;
    this.#isAnonymous = isAnonymous;
  }

  /** Every bucket that the backend's key may see, by name. */
  async list(connection: S3Connection, signal: AbortSignal): Promise<BucketSummary[]> {
    const backend = connection.backend.id;
    const tracked = listSizeTrackedBuckets(this.#database, backend);
    const buckets = new Map<string, BucketSummary>();
    let ContinuationToken: string | undefined;
    for (let count = 0; count < maxPages; count++) {
      const page = await connection.call(
        (sdk, options) => sdk.send(new ListBucketsCommand({ ContinuationToken }), options),
        { signal, answer: "ListAllMyBucketsResult" },
      );
      const before = buckets.size;
      for (const { Name: name, CreationDate: createdAt } of page.Buckets ?? []) {
        if (name) buckets.set(name, { ...this.#known(backend, name, tracked), createdAt });
      }
      ContinuationToken = page.ContinuationToken;
      // A server that does not know tokens gives the same page for each.
      if (!ContinuationToken || buckets.size === before) break;
    }
    return [...buckets.values()].sort((first, second) => first.name < second.name ? -1 : 1);
  }

  /**
   * A bucket as it is listed; without its creation where the backend's key may not list buckets. Throws 404 `not_found` for
   * a bucket that does not exist.
   */
  async describe(scope: BucketScope, signal: AbortSignal): Promise<BucketSummary> {
    const { connection, bucket } = scope;
    const listed = await this.list(connection, signal).catch((error) => {
      if (error instanceof Problem && error.detail?.upstream_status === 403) return [];
      throw error;
    });
    const found = listed.find(({ name }) => name === bucket);
    if (found !== undefined) return found;
    await requireBucket(scope);
    const { id } = connection.backend;
    return this.#known(id, bucket, listSizeTrackedBuckets(this.#database, id));
  }

  /** What is kept here about a bucket. */
  #known(backend: string, name: string, tracked: ReadonlySet<string>): BucketSummary {
    const sizeTracked = tracked.has(name);
    const limits = this.#quotas.limits(backend, name);
    const usage = sizeTracked || limits !== undefined ? this.#quotas.usage(backend, name) : undefined;
    return { name, sizeTracked, usage, limits, isAnonymous: this.#isAnonymous(backend, name) };
  }

  /** Creates a bucket. Throws 409 `conflict` when it exists. */
  async create({ connection, bucket }: BucketScope, { region, objectLock }: NewBucket): Promise<void> {
    // Some servers answer the repeated creation of one's own bucket as if it were new. Where this look fails, the
    // creation itself will tell why.
    if (await bucketExists({ connection, bucket }).catch(() => false)) {
      throw conflict("A bucket of this name already exists.");
    }
    await connection.call((sdk, options) =>
      sdk.send(
        new CreateBucketCommand({
          Bucket: bucket,
          ObjectLockEnabledForBucket: objectLock || undefined,
          CreateBucketConfiguration: region === undefined || region === "us-east-1"
            ? undefined
            // The SDK lists the regions of AWS; other servers have regions of their own.
            : { LocationConstraint: region as never },
        }),
        options,
      )
    );
    for (const listener of this.#createListeners) listener(connection.backend.id, bucket);
  }

  /** Calls `listener` with each bucket that was created here. */
  onCreate(listener: BucketListener): void {
    this.#createListeners.push(listener);
  }

  /** Deletes an empty bucket and what is kept about it. Throws 404 `not_found`, 409 `bucket_not_empty`. */
  async delete({ connection, bucket }: BucketScope): Promise<void> {
    await connection.call((sdk, options) => sdk.send(new DeleteBucketCommand({ Bucket: bucket }), options));
    deleteBucketSettings(this.#database, connection.backend.id, bucket);
    this.#quotas.forget(connection.backend.id, bucket);
    for (const listener of this.#deleteListeners) listener(connection.backend.id, bucket);
  }

  /** Calls `listener` with each bucket that was deleted here. */
  onDelete(listener: BucketListener): void {
    this.#deleteListeners.push(listener);
  }

  /** Whether a bucket's size is tracked. Throws 404 `not_found` for a bucket that does not exist. */
  async isSizeTracked(scope: BucketScope): Promise<boolean> {
    await requireBucket(scope);
    return listSizeTrackedBuckets(this.#database, scope.connection.backend.id).has(scope.bucket);
  }

  /** Turns size tracking on or off; a bucket whose size is to be tracked is counted at once. Throws 404 `not_found` for a bucket that does not exist. */
  async setSizeTracked(scope: BucketScope, enabled: boolean): Promise<void> {
    await requireBucket(scope);
    const { connection: { backend }, bucket } = scope;
    setSizeTracked(this.#database, backend.id, bucket, enabled);
    if (enabled) this.#quotas.countInBackground(backend.id, bucket);
  }
}
