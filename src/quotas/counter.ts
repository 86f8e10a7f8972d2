import { findBucket } from "../backends/bucket_scope.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { clientGoneProblem } from "../backends/upstream_error.ts";
import { errorMessage } from "../error_message.ts";
import type { Logger } from "../logging/logger.ts";
import { Problem } from "../problem.ts";
import type { Database } from "../store/database.ts";
import { putUsageSample, type UploadId } from "../store/quotas_repository.ts";
import type { BucketAccount, BucketCount } from "./account.ts";
import type { BucketAccounts } from "./accounts.ts";
import { countBucket, uploadExists } from "./count.ts";
import { dayOf } from "./day.ts";
import { uploadName } from "./pending_uploads.ts";
import { UsageUnknownError } from "./problem.ts";

/** What {@link UsageCounter} needs. */
export interface UsageCounterDeps {
  readonly accounts: BucketAccounts;
  readonly database: Database;
  readonly registry: BackendRegistry;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** A count under way. */
interface RunningCount {
  readonly result: Promise<BucketCount>;
  /** Whether somebody waits for it besides who began it, or whether that one has stopped it. */
  state: "own" | "shared" | "stopped";
}

/** Days for which samples are kept. */
export const sampleDays = 366;

/** Counts buckets, each at most once at a time. */
export class UsageCounter {
  readonly #deps: UsageCounterDeps;
  readonly #running = new Map<BucketAccount, RunningCount>();
  readonly #closing = new AbortController();

  constructor(deps: UsageCounterDeps) {
    this.#deps = deps;
  }

  /** Counts a bucket, or waits for the count that is under way. Throws what the backend's refusal is translated to. */
  count(account: BucketAccount): Promise<BucketCount> {
    const running = this.#running.get(account);
    if (running === undefined) return this.#start(account, this.#closing.signal);
    if (running.state === "stopped") return running.result.catch(() => {}).then(() => this.count(account));
    running.state = "shared";
    return running.result;
  }

  /**
   * Counts a bucket anew: a count under way, which is waited for, may have missed what was stored since it began. `signal`
   * stops it, unless somebody else waits for it too.
   */
  async recount(account: BucketAccount, signal?: AbortSignal): Promise<BucketCount> {
    await this.#running.get(account)?.result.catch(() => {});
    if (signal?.aborted) throw clientGoneProblem();
    if (this.#running.has(account)) return await this.count(account);
    const stop = new AbortController();
    const counting = this.#start(account, AbortSignal.any([this.#closing.signal, stop.signal]));
    const onAbort = () => {
      const running = this.#running.get(account);
      if (running?.state !== "own") return;
      running.state = "stopped";
      stop.abort(clientGoneProblem());
    };
    signal?.addEventListener("abort", onAbort);
    try {
      return await counting;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  #start(account: BucketAccount, signal: AbortSignal): Promise<BucketCount> {
    const result = this.#count(account, signal).finally(() => this.#running.delete(account));
    this.#running.set(account, { result, state: "own" });
    return result;
  }

  /**
   * Waits until what a bucket holds is known. Throws {@link UsageUnknownError} when it cannot be counted, 404 `not_found`
   * when there is no such bucket.
   */
  async ensure(account: BucketAccount): Promise<void> {
    while (!account.isComplete && account.limits !== undefined) {
      try {
        await this.count(account);
      } catch (error) {
        if (error instanceof Problem && error.status === 404) throw error;
        throw new UsageUnknownError(account.id.bucket, error);
      }
    }
  }

  /** Ends every count. */
  close(): void {
    this.#closing.abort();
  }

  async #count(account: BucketAccount, signal: AbortSignal): Promise<BucketCount> {
    const { backend, bucket } = account.id;
    const end = account.beginCount();
    try {
      const scope = findBucket(this.#deps.registry, backend, bucket);
      // First the uploads: one that is over by then has its object in the listing that follows.
      const over = await this.#endedUploads(account, signal);
      const amount = await countBucket(scope, signal);
      signal.throwIfAborted();
      for (const upload of over) if (!account.uploads.has(uploadName(upload))) account.pending.end(upload);
      const count = { ...amount, at: this.#deps.clock() };
      end(count);
      this.#keep(account, count);
      return count;
    } catch (error) {
      end(undefined);
      throw error;
    }
  }

  /** Uploads that the backend no longer knows: they were completed or aborted past this program, or have expired. */
  async #endedUploads(account: BucketAccount, signal: AbortSignal): Promise<UploadId[]> {
    const { registry, logger } = this.#deps;
    const scope = findBucket(registry, account.id.backend, account.id.bucket);
    const ended: UploadId[] = [];
    for (const upload of account.pending.list()) {
      if (account.uploads.has(uploadName(upload))) continue;
      try {
        if (!await uploadExists(scope, upload, signal)) ended.push(upload);
      } catch (error) {
        logger.warn("an unfinished multipart upload could not be looked up", {
          ...account.id,
          upload_id: upload.uploadId,
          error: errorMessage(error),
        });
      }
    }
    return ended;
  }

  #keep(account: BucketAccount, { bytes, objects, at }: BucketCount): void {
    const { accounts, database } = this.#deps;
    // The bucket may be gone by now.
    if (accounts.find(account.id.backend, account.id.bucket) !== account) return;
    accounts.save(account);
    accounts.changed(account);
    putUsageSample(database, account.id, { day: dayOf(at), bytes, objects }, dayOf(at, 1 - sampleDays));
  }
}
