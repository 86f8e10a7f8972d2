import type { BackendRegistry } from "../backends/registry.ts";
import type { BucketService } from "../buckets/service.ts";
import { errorMessage } from "../error_message.ts";
import type { Logger } from "../logging/logger.ts";
import type { Database } from "../store/database.ts";
import {
  deleteRecentBucket,
  listRecentBuckets,
  putRecentBucket,
  type RecentBucket,
} from "../store/recent_buckets_repository.ts";

/** Buckets that are kept of a user. */
const maxRecent = 10;

/** How often the same visit is written down, in milliseconds. */
const writeIntervalMs = 60_000;

/** Most visits that are remembered in order not to write them down again. */
const maxRemembered = 10_000;

/** What {@link RecentBuckets} works with. */
export interface RecentBucketsDeps {
  readonly database: Database;
  readonly registry: BackendRegistry;
  readonly buckets: BucketService;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** The buckets that each user was last in. */
export class RecentBuckets {
  readonly #deps: RecentBucketsDeps;
  /** When a visit was last written down. */
  readonly #written = new Map<string, number>();

  constructor(deps: RecentBucketsDeps) {
    this.#deps = deps;
    deps.buckets.onDelete((backend, bucket) => {
      deleteRecentBucket(deps.database, backend, bucket);
      this.#written.clear();
    });
    deps.registry.onChange(() => this.#written.clear());
  }

  /** Notes that a user has looked into a bucket. Never throws: what the user sees is worth more than this list. */
  note(userId: string, backend: string, bucket: string): void {
    const now = this.#deps.clock();
    const visit = `${userId}/${backend}/${bucket}`;
    if (now - (this.#written.get(visit) ?? -Infinity) < writeIntervalMs) return;
    if (this.#written.size >= maxRemembered) this.#written.clear();
    this.#written.set(visit, now);
    try {
      putRecentBucket(this.#deps.database, userId, { backend, bucket }, now, maxRecent);
    } catch (error) {
      this.#deps.logger.warn("a visited bucket could not be noted", { reason: errorMessage(error) });
    }
  }

  /** The buckets that a user was in, the last first. Those of backends that are no more are left out. */
  list(userId: string): RecentBucket[] {
    const { database, registry } = this.#deps;
    return listRecentBuckets(database, userId).filter(({ backend }) => registry.has(backend));
  }
}
