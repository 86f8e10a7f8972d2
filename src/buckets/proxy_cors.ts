import type { BackendRegistry } from "../backends/registry.ts";
import { errorMessage } from "../error_message.ts";
import type { Logger } from "../logging/logger.ts";
import type { CorsRule } from "../proxy/cors.ts";
import type { Database } from "../store/database.ts";
import {
  deleteProxyCors,
  listProxyCors,
  type StoredProxyCors,
  storeProxyCors,
} from "../store/proxy_cors_repository.ts";
import { type CorsRuleJson, parseCorsRules, toCorsRule } from "./proxy_cors_rules.ts";

interface Entry {
  readonly json: readonly CorsRuleJson[];
  readonly rules: readonly CorsRule[];
}

/** What {@link ProxyCorsStore} works with. */
export interface ProxyCorsDeps {
  readonly database: Database;
  readonly registry: BackendRegistry;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

const none: readonly never[] = [];

/**
 * CORS rules of buckets at the S3 endpoint. They are kept in memory; a change is stored and then counts for the very next
 * request.
 */
export class ProxyCorsStore {
  readonly #deps: ProxyCorsDeps;
  /** By bucket, then by backend. */
  readonly #entries = new Map<string, Map<string, Entry>>();

  constructor(deps: ProxyCorsDeps) {
    this.#deps = deps;
    for (const stored of listProxyCors(deps.database)) this.#load(stored);
    deps.registry.onChange((id) => this.#forgetRemoved(id));
  }

  /** The rules of a bucket of one backend, in order; none is an empty list. */
  find(backend: string, bucket: string): readonly CorsRule[] {
    return this.#entries.get(bucket)?.get(backend)?.rules ?? none;
  }

  /**
   * The rules of every bucket of this name: what a preflight is answered by, which does not tell whose bucket it means. The
   * request that follows is answered by the rules of its own bucket alone.
   */
  findByBucket(bucket: string): readonly CorsRule[] {
    const byBackend = this.#entries.get(bucket);
    if (byBackend === undefined) return none;
    const { registry } = this.#deps;
    return [...byBackend].flatMap(([backend, { rules }]) => registry.has(backend) ? rules : none);
  }

  /** The rules of a bucket as the API shows them. */
  list(backend: string, bucket: string): readonly CorsRuleJson[] {
    return this.#entries.get(bucket)?.get(backend)?.json ?? none;
  }

  /** Puts rules in place of those the bucket has; an empty list removes them. */
  set(backend: string, bucket: string, rules: readonly CorsRuleJson[], updatedBy: string): void {
    if (rules.length === 0) return this.forget(backend, bucket);
    const { database, clock } = this.#deps;
    storeProxyCors(database, {
      backend,
      bucket,
      rules: JSON.stringify(rules),
      updatedAt: clock(),
      updatedBy,
    });
    this.#put(backend, bucket, rules);
  }

  /** Removes the rules of a bucket. */
  forget(backend: string, bucket: string): void {
    deleteProxyCors(this.#deps.database, backend, bucket);
    this.#drop(backend, bucket);
  }

  #load({ backend, bucket, rules }: StoredProxyCors): void {
    try {
      this.#put(backend, bucket, parseCorsRules(JSON.parse(rules)));
    } catch (error) {
      const reason = errorMessage(error);
      this.#deps.logger.warn("the CORS rules of a bucket cannot be read", { backend, bucket, reason });
    }
  }

  #put(backend: string, bucket: string, json: readonly CorsRuleJson[]): void {
    const byBackend = this.#entries.get(bucket) ?? new Map<string, Entry>();
    this.#entries.set(bucket, byBackend.set(backend, { json, rules: json.map(toCorsRule) }));
  }

  #drop(backend: string, bucket: string): void {
    const byBackend = this.#entries.get(bucket);
    if (byBackend?.delete(backend) && byBackend.size === 0) this.#entries.delete(bucket);
  }

  /** The registry has removed the rows of a backend that is no more. */
  #forgetRemoved(backend: string): void {
    if (this.#deps.registry.has(backend)) return;
    for (const bucket of [...this.#entries.keys()]) this.#drop(backend, bucket);
  }
}
