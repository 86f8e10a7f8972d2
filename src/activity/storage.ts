import type { QuotaService, TrackedBucket } from "../quotas/service.ts";
import type { Dashboard } from "./schema.ts";
import { timestamp } from "../timestamp.ts";

/** A backend whose storage is shown. */
export interface StorageBackend {
  readonly id: string;
  readonly name: string;
}

/** What the counted buckets hold. */
export interface StorageView {
  readonly storage: Dashboard["storage"];
  readonly largest: Dashboard["top_buckets"]["by_size"];
}

type TrackedBuckets = Pick<QuotaService, "tracked">;

/**
 * What backends hold in the buckets that are counted, those with size tracking or a quota, and the `limit` largest of these.
 * Nothing is known of other buckets.
 */
export function describeStorage(
  backends: readonly StorageBackend[],
  quotas: TrackedBuckets,
  limit: number,
): StorageView {
  const tracked = backends.map((backend) => ({ backend, buckets: quotas.tracked(backend.id) }));
  const described = tracked.map(({ backend, buckets }) => describeBackend(backend, buckets));
  return {
    storage: {
      bytes: described.reduce((sum, { bytes }) => sum + bytes, 0),
      objects: described.reduce((sum, { objects }) => sum + objects, 0),
      backends: described.sort((first, second) => second.bytes - first.bytes),
    },
    largest: tracked.flatMap(({ backend, buckets }) =>
      buckets.flatMap((bucket) => sizeOf(backend.id, bucket))
    )
      .sort((first, second) => second.bytes - first.bytes)
      .slice(0, limit),
  };
}

function describeBackend({ id, name }: StorageBackend, buckets: readonly TrackedBucket[]) {
  const counted = buckets.flatMap(({ usage }) => usage ?? []);
  return {
    backend_id: id,
    name,
    bytes: counted.reduce((sum, { bytes }) => sum + bytes, 0),
    objects: counted.reduce((sum, { objects }) => sum + objects, 0),
    // The sum is as old as its oldest part.
    as_of: counted.length === 0 ? undefined : timestamp(Math.min(...counted.map(({ at }) => at))),
    tracked_buckets: buckets.length,
    uncounted_buckets: buckets.length - counted.length,
  };
}

function sizeOf(backend: string, { bucket, usage }: TrackedBucket) {
  if (usage === undefined) return [];
  const { bytes, objects, at } = usage;
  return [{ backend_id: backend, bucket, bytes, objects, computed_at: timestamp(at) }];
}
