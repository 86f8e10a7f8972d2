import { CreateBucketCommand, DeleteBucketCommand, ListBucketsCommand } from "@aws-sdk/client-s3";
import { bucketExists, requireBucket } from "../backends/bucket_exists.ts";
import type { BucketScope } from "../backends/bucket_scope.ts";
import type { S3Connection } from "../backends/s3_client.ts";
import { conflict } from "../problem.ts";
import type { BucketCount } from "../quotas/account.ts";
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
  /** What it holds, when its size is tracked and it was counted before. */
  readonly usage?: BucketCount;
}

/** Most pages of a list of buckets that are read; each has up to 10,000. */
const maxPages = 100;

/** Buckets of the backends, and what is kept about them here. */
export class BucketService {
  readonly #database: Database;
  readonly #quotas: QuotaService;
  readonly #listeners: ((backendId: string, bucket: string) => void)[] = [];

  constructor(database: Database, quotas: QuotaService) {
    this.#database = database;
    this.#quotas = quotas;
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
        if (!name) continue;
        const sizeTracked = tracked.has(name);
        const usage = sizeTracked ? this.#quotas.usage(backend, name) : undefined;
        buckets.set(name, { name, createdAt, sizeTracked, usage });
      }
      ContinuationToken = page.ContinuationToken;
      // A server that does not know tokens gives the same page for each.
      if (!ContinuationToken || buckets.size === before) break;
    }
    return [...buckets.values()].sort((first, second) => first.name < second.name ? -1 : 1);
  }

  /** Creates a bucket. Throws 409 `conflict` when it exists. `region` is the backend's own unless told. */
  async create({ connection, bucket }: BucketScope, region?: string): Promise<void> {
    // Some servers answer the repeated creation of one's own bucket as if it were new. Where this look fails, the
    // creation itself will tell why.
    if (await bucketExists({ connection, bucket }).catch(() => false)) {
      throw conflict("A bucket of this name already exists.");
    }
    await connection.call((sdk, options) =>
      sdk.send(
        new CreateBucketCommand({
          Bucket: bucket,
          CreateBucketConfiguration: region === undefined || region === "us-east-1"
            ? undefined
            // The SDK lists the regions of AWS; other servers have regions of their own.
            : { LocationConstraint: region as never },
        }),
        options,
      )
    );
  }

  /** Deletes an empty bucket and what is kept about it. Throws 404 `not_found`, 409 `bucket_not_empty`. */
  async delete({ connection, bucket }: BucketScope): Promise<void> {
    await connection.call((sdk, options) => sdk.send(new DeleteBucketCommand({ Bucket: bucket }), options));
    deleteBucketSettings(this.#database, connection.backend.id, bucket);
    this.#quotas.forget(connection.backend.id, bucket);
    for (const listener of this.#listeners) listener(connection.backend.id, bucket);
  }

  /** Calls `listener` with each bucket that was deleted here. */
  onDelete(listener: (backendId: string, bucket: string) => void): void {
    this.#listeners.push(listener);
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
