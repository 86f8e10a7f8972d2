/** How fast and how far a {@link RateLimiter} lets one key go. */
export interface RateLimit {
  /** Tokens a full bucket holds. */
  readonly burst: number;
  /** Milliseconds in which an empty bucket fills up. */
  readonly window: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Buckets kept at once: beyond this the longest unused are dropped, and a flood of new keys costs no more memory. */
const maxBuckets = 10_000;

/** A token bucket for each key. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #clock: () => number;
  /** In order of last use: JavaScript's maps keep the order of insertion. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: RateLimit, clock: () => number) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Seconds in which an empty bucket fills up. */
  get windowSeconds(): number {
    return Math.ceil(this.#limit.window / 1000);
  }

  /**
   * Takes a token of `key`'s bucket and returns 0, or returns the milliseconds until there is one. `limit` is for a key that has
   * its own.
   */
  take(key: string, limit: RateLimit = this.#limit): number {
    const bucket = this.#refilled(key, limit);
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > maxBuckets) this.#dropOldest();
    if (bucket.tokens < 1) return (1 - bucket.tokens) * limit.window / limit.burst;
    bucket.tokens -= 1;
    return 0;
  }

  /** Milliseconds until there is a token in `key`'s bucket; takes none. */
  wait(key: string): number {
    const { tokens } = this.#refilled(key, this.#limit);
    return Math.max(0, 1 - tokens) * this.#limit.window / this.#limit.burst;
  }

  #refilled(key: string, { burst, window }: RateLimit): Bucket {
    const now = this.#clock();
    const bucket = this.#buckets.get(key) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.at) * burst / window);
    bucket.at = now;
    return bucket;
  }

  #dropOldest(): void {
    for (const key of this.#buckets.keys()) {
      this.#buckets.delete(key);
      return;
    }
  }
}

/** The key by which a client's address is counted: one household's IPv6 /64 counts as one client. */
export function addressKey(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [head, tail] = ip.split("%")[0].split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length);
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill("0"), ...(tail ? tail.split(":") : [])];
  return all.slice(0, 4).map((group) => parseInt(group, 16).toString(16)).join(":") + "::/64";
}
