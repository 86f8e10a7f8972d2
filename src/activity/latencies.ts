/** Buckets of each doubling of the latency, so that a percentile is at most an eighth off. */
const perDoubling = 4;

/** Whole milliseconds below this have a bucket each. */
const exactBelow = perDoubling;

/** Latencies from here on, 131 seconds, share the last bucket. */
const maxMilliseconds = 2 ** 17;

/** How many buckets there are. */
export const latencyBuckets = latencyBucket(maxMilliseconds) + 1;

/** The bucket of a latency in milliseconds: below 4 ms one each, from there on four for each doubling. */
export function latencyBucket(milliseconds: number): number {
  const whole = Math.max(0, Math.min(Math.floor(milliseconds), maxMilliseconds));
  if (whole < exactBelow) return whole;
  const exponent = 31 - Math.clz32(whole);
  return perDoubling * (exponent - 1) + ((whole >> (exponent - 2)) & (perDoubling - 1));
}

/** The smallest latency of a bucket, in milliseconds. */
function lowerBound(bucket: number): number {
  if (bucket < exactBelow) return bucket;
  const exponent = Math.floor(bucket / perDoubling) + 1;
  return (perDoubling + bucket % perDoubling) * 2 ** (exponent - 2);
}

/** What half, 95 % and 99 % of the requests took at most, in milliseconds. */
export interface LatencyPercentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** The percentiles of what was counted by bucket; `undefined` when nothing was. */
export function percentiles(counts: ArrayLike<number>): LatencyPercentiles | undefined {
  let total = 0;
  for (let bucket = 0; bucket < counts.length; bucket++) total += counts[bucket];
  if (total === 0) return undefined;
  return {
    p50: percentile(counts, total * 0.5),
    p95: percentile(counts, total * 0.95),
    p99: percentile(counts, total * 0.99),
  };
}

/** The latency that `rank` of the requests do not exceed: the middle of the bucket that holds the last of them. */
function percentile(counts: ArrayLike<number>, rank: number): number {
  let seen = 0;
  for (let bucket = 0; bucket < counts.length; bucket++) {
    seen += counts[bucket];
    if (seen < rank) continue;
    // Buckets of one millisecond each hold whole milliseconds, which is all that is measured.
    const width = lowerBound(bucket + 1) - lowerBound(bucket);
    return lowerBound(bucket) + (width - 1) / 2;
  }
  return maxMilliseconds;
}
