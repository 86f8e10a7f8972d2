const hourMs = 3_600_000;

/** Hours that count: this one and the 23 before it. */
const keptHours = 24;

/** How many requests a bucket has had. */
export interface BucketRequestCount {
  readonly backend: string;
  readonly bucket: string;
  readonly requests: number;
}

interface BucketHours {
  readonly backend: string;
  readonly bucket: string;
  readonly counts: Uint32Array;
  /** The hour, since the epoch, that is being counted. */
  hour: number;
}

/** Requests by bucket over the last day, for a bounded number of buckets. */
export class BucketRequests {
  readonly #maxBuckets: number;
  readonly #buckets = new Map<string, BucketHours>();
  #sweptHour = -1;

  /** While `maxBuckets` have requests within a day, those of further ones are not counted. */
  constructor(maxBuckets = 1000) {
    this.#maxBuckets = maxBuckets;
  }

  /** Counts a request that a bucket has answered at `now`, in milliseconds since the epoch. */
  observe(backend: string, bucket: string, now: number): void {
    const hour = Math.floor(now / hourMs);
    // No id of a backend has a slash.
    const name = `${backend}/${bucket}`;
    let hours = this.#buckets.get(name);
    if (hours === undefined) {
      if (!this.#hasRoom(hour)) return;
      hours = { backend, bucket, counts: new Uint32Array(keptHours), hour };
      this.#buckets.set(name, hours);
    }
    advance(hours, hour);
    hours.counts[hours.hour % keptHours]++;
  }

  /** The `limit` buckets with the most requests, most first. */
  top(limit: number, now: number): BucketRequestCount[] {
    this.#sweep(Math.floor(now / hourMs));
    const counted = [...this.#buckets.values()].map(({ backend, bucket, counts }) => ({
      backend,
      bucket,
      requests: counts.reduce((sum, count) => sum + count, 0),
    }));
    return counted.sort((first, second) => second.requests - first.requests).slice(0, limit);
  }

  #hasRoom(hour: number): boolean {
    if (this.#buckets.size >= this.#maxBuckets && hour > this.#sweptHour) this.#sweep(hour);
    return this.#buckets.size < this.#maxBuckets;
  }

  /** Forgets buckets without a request in the last day. */
  #sweep(hour: number): void {
    this.#sweptHour = hour;
    for (const [name, hours] of this.#buckets) {
      advance(hours, hour);
      if (hours.counts.every((count) => count === 0)) this.#buckets.delete(name);
    }
  }
}

/** Goes on to an hour, and empties those since the last one. */
function advance(hours: BucketHours, hour: number): void {
  for (let next = Math.max(hours.hour + 1, hour - keptHours + 1); next <= hour; next++) {
    hours.counts[next % keptHours] = 0;
  }
  hours.hour = Math.max(hours.hour, hour);
}
