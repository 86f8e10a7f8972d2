import { errorTexts } from "../../../backends/upstream_error.ts";
import type { Logger } from "../../../logging/logger.ts";
import type { AnonymousBinding, BucketQuota, CredentialSource, VirtualCredential } from "../source.ts";
import { ApiClient, ApiError, type RequestLimits } from "./api_client.ts";
import { Backoff, type BackoffLimits } from "./backoff.ts";
import type { ClusterAccess } from "./cluster_access.ts";
import { quotaKey, SecretSet } from "./secret_set.ts";
import type { WatchEvent } from "./wire.ts";

/** How long things take at most, in milliseconds. */
export interface KubernetesTimings {
  /** How long {@link KubernetesSource.start} waits for the first list. */
  readonly firstSync: number;
  readonly requests: RequestLimits;
  readonly backoff: BackoffLimits;
  /** A watch that lasted this long was a success, however it ended. */
  readonly settled: number;
}

/**
 * A watch is asked for anew each minute, so that a connection that died without a sign hides a revocation for little more
 * than that.
 */
export const defaultTimings: KubernetesTimings = {
  firstSync: 30_000,
  requests: { list: 30_000, watch: 60_000, watchSlack: 10_000 },
  backoff: { min: 800, max: 30_000 },
  settled: 1_000,
};

/** What {@link KubernetesSource} needs. */
export interface KubernetesSourceOptions {
  readonly access: ClusterAccess;
  /** The namespace whose Secrets are read. */
  readonly namespace: string;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** {@link defaultTimings} unless told. */
  readonly timings?: KubernetesTimings;
}

/** After so many failures in a row a list is asked for, which mends what resuming the watch does not. */
const failuresUntilList = 3;

/**
 * Credentials, anonymous bindings and quotas out of the Secrets of a namespace. They are listed once and watched from
 * then on. While the API server cannot be reached, what is known stays in force.
 */
export class KubernetesSource implements CredentialSource {
  readonly #client: ApiClient;
  readonly #secrets: SecretSet;
  readonly #logger: Logger;
  readonly #clock: () => number;
  readonly #timings: KubernetesTimings;
  readonly #backoff: Backoff;
  readonly #listeners: (() => void)[] = [];
  readonly #stopping = new AbortController();
  readonly #synced = Promise.withResolvers<void>();
  #following: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;
  #isSynced = false;
  /** How far the Secrets are known; `undefined` when they must be listed. */
  #resourceVersion: string | undefined;
  /** Whether the resource version is that of a list, and no watch from it has settled yet. */
  #isFresh = false;
  /** When the watch was asked for; `undefined` while the Secrets are listed. */
  #watchingSince: number | undefined;

  /** Throws `ClusterAccessError` when the certificates or the namespace cannot be used. */
  constructor(options: KubernetesSourceOptions) {
    const { access, namespace, logger, clock, random, timings = defaultTimings } = options;
    this.#client = new ApiClient(access, namespace, timings.requests);
    this.#secrets = new SecretSet(logger);
    this.#logger = logger;
    this.#clock = clock;
    this.#timings = timings;
    this.#backoff = new Backoff(timings.backoff, random);
  }

  find(accessKeyId: string): VirtualCredential | undefined {
    return this.#secrets.index.credentials.get(accessKeyId);
  }

  findBinding(bucket: string): AnonymousBinding | undefined {
    return this.#secrets.index.bindings.get(bucket);
  }

  /** The quota that a Secret gives to a bucket. */
  findQuota(backend: string, bucket: string): BucketQuota | undefined {
    return this.#secrets.index.quotas.get(quotaKey(backend, bucket));
  }

  credentials(): Iterable<VirtualCredential> {
    return this.#secrets.index.credentials.values();
  }

  bindings(): Iterable<AnonymousBinding> {
    return this.#secrets.index.bindings.values();
  }

  /** Every quota that a Secret gives. */
  quotas(): Iterable<BucketQuota> {
    return this.#secrets.index.quotas.values();
  }

  get size(): number {
    return this.#secrets.index.credentials.size;
  }

  /** How many Secrets are skipped now because they are malformed. */
  get malformedSecrets(): number {
    return this.#secrets.index.malformed;
  }

  /** Whether the Secrets were listed at least once. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** Calls `listener` after each change of what the Secrets give. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Begins to follow the Secrets. Resolves once they are known, or when the time for that is over; then it goes on in the
   * background.
   */
  async start(): Promise<void> {
    this.#following ??= this.#follow(this.#stopping.signal);
    const { firstSync } = this.#timings;
    const { promise: timeIsOver, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, firstSync);
    await Promise.race([this.#synced.promise, timeIsOver]);
    clearTimeout(timer);
    if (this.#isSynced || this.#stopping.signal.aborted) return;
    this.#logger.warn("the Kubernetes Secrets are not known yet; going on without them", {
      waited_ms: firstSync,
    });
  }

  /** Ends every request at once. Resolves when nothing goes on any more; what is known can still be looked up. */
  stop(): Promise<void> {
    return this.#stopped ??= this.#stop();
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    this.#synced.resolve();
    await this.#following;
    this.#client.close();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let failure: unknown;
      try {
        await this.#listAndWatch(signal);
      } catch (error) {
        failure = error;
      }
      if (!signal.aborted && !this.#mayGoOnAtOnce(failure)) await this.#pause(failure, signal);
    }
  }

  /** Follows the changes until the watch ends; lists the Secrets before that if it is not known where to watch from. */
  async #listAndWatch(signal: AbortSignal): Promise<void> {
    this.#watchingSince = undefined;
    if (this.#resourceVersion === undefined) {
      this.#resourceVersion = await this.#list(signal);
      this.#isFresh = true;
    }
    this.#watchingSince = this.#clock();
    for await (const event of this.#client.watch(this.#resourceVersion, signal)) {
      this.#resourceVersion = this.#apply(event);
    }
  }

  /**
   * Settles what the end of an attempt means for the next one. It may follow at once when a watch just came to its end, or
   * when its resource version grew too old; but not if that is so right after a list, or the two would go round and round.
   */
  #mayGoOnAtOnce(failure: unknown): boolean {
    const since = this.#watchingSince;
    const hasSettled = since !== undefined && this.#clock() - since >= this.#timings.settled;
    if (hasSettled) {
      this.#isFresh = false;
      this.#backoff.reset();
    }
    if (!(failure instanceof ApiError && failure.isGone)) return failure === undefined && hasSettled;
    this.#resourceVersion = undefined;
    return since !== undefined && !this.#isFresh;
  }

  /** Returns the resource version to watch from. */
  async #list(signal: AbortSignal): Promise<string> {
    const { secrets, resourceVersion } = await this.#client.list(signal);
    const hasChanged = this.#secrets.replace(secrets);
    this.#isSynced = true;
    this.#synced.resolve();
    this.#logger.info("the Kubernetes Secrets were listed", {
      credentials: this.size,
      bindings: this.#secrets.index.bindings.size,
      malformed: this.malformedSecrets,
    });
    if (hasChanged) this.#notify();
    return resourceVersion;
  }

  /** Returns the resource version that the watch has come to. */
  #apply({ type, object }: WatchEvent): string {
    const { resourceVersion } = object.metadata;
    if (type === "BOOKMARK") return resourceVersion;
    const hasChanged = type === "DELETED"
      ? this.#secrets.remove(object.metadata.name)
      : this.#secrets.put(object);
    if (hasChanged) this.#notify();
    return resourceVersion;
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Waits before the next attempt: longer with each failure, and as long as the API server asks for. */
  async #pause(failure: unknown, signal: AbortSignal): Promise<void> {
    const asked = failure instanceof ApiError ? failure.retryAfter ?? 0 : 0;
    const delay = Math.round(Math.max(this.#backoff.next(), Math.min(asked, this.#timings.backoff.max)));
    const error = failure === undefined
      ? "the watch ended as soon as it began"
      : errorTexts(failure).join(": ");
    this.#logger.warn("the Kubernetes Secrets cannot be followed", { error, retry_ms: delay });
    if (this.#backoff.failures >= failuresUntilList) this.#resourceVersion = undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const timer = setTimeout(wake, delay);
    signal.addEventListener("abort", wake);
    await promise;
    clearTimeout(timer);
    signal.removeEventListener("abort", wake);
  }
}
