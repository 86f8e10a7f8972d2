import { requireBucket } from "../backends/bucket_exists.ts";
import { findBucket } from "../backends/bucket_scope.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import type { BucketService } from "../buckets/service.ts";
import { conflict } from "../problem.ts";
import type { Database } from "../store/database.ts";
import { deletePin, deletePinsOfBucket, insertPin, listPins, type Pin } from "../store/pins_repository.ts";

/** Most pins of a user. */
export const maxPins = 100;

/** What {@link PinService} works with. */
export interface PinServiceDeps {
  readonly database: Database;
  readonly registry: BackendRegistry;
  readonly buckets: BucketService;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** The buckets that users have pinned. A bucket or backend that is deleted takes its pins along. */
export class PinService {
  readonly #deps: PinServiceDeps;

  constructor(deps: PinServiceDeps) {
    this.#deps = deps;
    deps.buckets.onDelete((backend, bucket) => deletePinsOfBucket(deps.database, backend, bucket));
  }

  /** A user's pins, oldest first. Those of backends that the configuration no longer has are left out. */
  list(userId: string): Pin[] {
    const { database, registry } = this.#deps;
    return listPins(database, userId).filter(({ backend }) => registry.has(backend));
  }

  /**
   * Pins a bucket; tells the pin and whether it is a new one. Throws 404 `not_found` for an unknown backend or bucket, 400
   * `invalid_bucket_name`, and 409 `conflict` beyond {@link maxPins}.
   */
  async add(userId: string, backend: string, bucket: string): Promise<{ pin: Pin; isNew: boolean }> {
    const { database, registry, clock } = this.#deps;
    const scope = findBucket(registry, backend, bucket);
    const existing = this.#find(userId, backend, bucket);
    if (existing !== undefined) return { pin: existing, isNew: false };
    await requireBucket(scope);
    if (this.list(userId).length >= maxPins) throw conflict(`There are ${maxPins} pins already.`);
    insertPin(database, userId, { backend, bucket, createdAt: clock() });
    const pin = this.#find(userId, backend, bucket);
    if (pin === undefined) throw conflict("The pin was removed at the same time.");
    return { pin, isNew: true };
  }

  /** Takes a pin away, if there is one. */
  remove(userId: string, backend: string, bucket: string): void {
    deletePin(this.#deps.database, userId, backend, bucket);
  }

  #find(userId: string, backend: string, bucket: string): Pin | undefined {
    return this.list(userId).find((pin) => pin.backend === backend && pin.bucket === bucket);
  }
}
