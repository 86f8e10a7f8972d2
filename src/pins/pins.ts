import { requireBucket } from "../backends/bucket_exists.ts";
import { findBucket } from "../backends/bucket_scope.ts";
import { requirePrefix } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import type { BucketService } from "../buckets/service.ts";
import { conflict } from "../problem.ts";
import type { Database } from "../store/database.ts";
import {
  deletePin,
  deletePinsOfBucket,
  insertPin,
  listPins,
  type Pin,
  type Place,
} from "../store/pins_repository.ts";

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

/** The places that users have pinned. A bucket or backend that is deleted takes its pins along. */
export class PinService {
  readonly #deps: PinServiceDeps;

  constructor(deps: PinServiceDeps) {
    this.#deps = deps;
    deps.buckets.onDelete((backend, bucket) => deletePinsOfBucket(deps.database, backend, bucket));
  }

  /** A user's pins, oldest first. Those of backends that the configuration no longer has are left out. */
  list(userId: string): Pin[] {
    const { database, registry } = this.#deps;
    return listPins(database, userId).filter(({ backend }) => backend === "" || registry.has(backend));
  }

  /**
   * Pins a place; tells the pin and whether it is a new one. Throws 404 `not_found` for an unknown backend or bucket, 400
   * `invalid_bucket_name` and `invalid_prefix`, and 409 `conflict` beyond {@link maxPins}.
   */
  async add(userId: string, place: Place): Promise<{ pin: Pin; isNew: boolean }> {
    const { database, clock } = this.#deps;
    const existing = this.#find(userId, place);
    if (existing !== undefined) return { pin: existing, isNew: false };
    await this.#requireThere(place);
    if (this.list(userId).length >= maxPins) throw conflict(`There are ${maxPins} pins already.`);
    insertPin(database, userId, { ...place, createdAt: clock() });
    const pin = this.#find(userId, place);
    if (pin === undefined) throw conflict("The pin was removed at the same time.");
    return { pin, isNew: true };
  }

  /** Takes a pin away, if there is one. */
  remove(userId: string, place: Place): void {
    deletePin(this.#deps.database, userId, place);
  }

  /** Folders come and go with what is in them: only the bucket of one has to be there. */
  async #requireThere({ backend, bucket, prefix }: Place): Promise<void> {
    const { registry } = this.#deps;
    requirePrefix(prefix);
    if (bucket !== "") await requireBucket(findBucket(registry, backend, bucket));
    else if (backend !== "") registry.connect(backend);
  }

  #find(userId: string, place: Place): Pin | undefined {
    return this.list(userId).find((pin) => isSamePlace(pin, place));
  }
}

/** Whether a pin is one of a bucket as a whole. */
export function isBucketPin({ bucket, prefix, filter, search }: Place): boolean {
  return bucket !== "" && prefix + filter + search === "";
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.backend === other.backend && one.bucket === other.bucket && one.prefix === other.prefix &&
    one.filter === other.filter && one.search === other.search;
}
