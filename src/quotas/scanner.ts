import type { BackendRegistry } from "../backends/registry.ts";
import { errorMessage } from "../error_message.ts";
import type { Logger } from "../logging/logger.ts";
import { listSizeTrackedBuckets } from "../store/bucket_settings_repository.ts";
import type { Database } from "../store/database.ts";
import type { BucketAccount } from "./account.ts";
import type { BucketAccounts } from "./accounts.ts";
import type { UsageCounter } from "./counter.ts";

/** What {@link UsageScanner} needs. */
export interface UsageScannerDeps {
  readonly accounts: BucketAccounts;
  readonly counter: UsageCounter;
  readonly database: Database;
  readonly registry: BackendRegistry;
  readonly logger: Logger;
  /** Time between two rounds in milliseconds; negative for no rounds at all. */
  readonly intervalMs: number;
}

/** Counts every bucket with a quota or size tracking now and then, so that what was stored past this program shows. */
export class UsageScanner {
  readonly #deps: UsageScannerDeps;
  /** Ids of the backends whose buckets are being counted. */
  readonly #running = new Set<string>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #isStopped = false;

  constructor(deps: UsageScannerDeps) {
    this.#deps = deps;
    deps.registry.onChange((id) => this.#backendChanged(id));
  }

  /** Begins a round now, and then one each interval. */
  start(): void {
    const { intervalMs } = this.#deps;
    if (intervalMs < 0) return;
    this.#timer = setInterval(() => this.#scanAll(), intervalMs);
    this.#scanAll();
  }

  /** Begins no more counts; one that ends for that reason is no failure. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  /** Counts a bucket without making anybody wait; a failure is logged, and the figures stay as they were. */
  async countInBackground(account: BucketAccount): Promise<void> {
    try {
      await this.#deps.counter.count(account);
    } catch (error) {
      if (this.#isStopped) return;
      this.#deps.logger.warn("a bucket could not be counted", { ...account.id, error: errorMessage(error) });
    }
  }

  #scanAll(): void {
    for (const { id, enabled } of this.#deps.registry.list()) if (enabled) void this.#scan(id);
  }

  /** A backend is asked for one bucket after the other, so that a count never takes more than a connection of it. */
  async #scan(backend: string): Promise<void> {
    if (this.#running.has(backend)) return;
    this.#running.add(backend);
    for (const account of this.#counted(backend)) {
      if (this.#isStopped) return;
      if (this.#deps.accounts.find(backend, account.id.bucket) === account) {
        await this.countInBackground(account);
      }
    }
    this.#running.delete(backend);
  }

  #counted(backend: string): BucketAccount[] {
    const { accounts, database } = this.#deps;
    const tracked = listSizeTrackedBuckets(database, backend);
    for (const bucket of [...tracked, ...accounts.overridden(backend)]) accounts.open(backend, bucket);
    return accounts.list().filter(({ id }) =>
      id.backend === backend && (tracked.has(id.bucket) || accounts.hasQuota(id))
    );
  }

  /** What a changed backend holds is not known; its address may be another one. */
  #backendChanged(backend: string): void {
    const { accounts, registry } = this.#deps;
    if (!registry.list().some(({ id }) => id === backend)) return accounts.forget(backend);
    for (const account of accounts.list()) if (account.id.backend === backend) account.noteUnknownWrite();
    if (this.#timer !== undefined) void this.#scan(backend);
  }
}
