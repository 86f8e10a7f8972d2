import { latencyBucket, latencyBuckets, type LatencyPercentiles, percentiles } from "./latencies.ts";

const minuteMs = 60_000;

/** Minutes that are kept: a day. */
const keptMinutes = 1440;

/** A request that has been answered. */
export interface TrafficObservation {
  readonly isClientError: boolean;
  readonly isServerError: boolean;
  /** Milliseconds; `undefined` for answers that last as long as somebody listens. */
  readonly durationMs: number | undefined;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** What happened in a stretch of time. */
export interface TrafficTotals {
  readonly requests: number;
  /** Answers with a status from 400 to 499. */
  readonly clientErrors: number;
  /** Answers with a status from 500 on, and those that broke off through no fault of the client. */
  readonly serverErrors: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** `undefined` when nothing was measured. */
  readonly latency: LatencyPercentiles | undefined;
}

/** What happened in one of the equal steps of a stretch of time. */
export interface TrafficPoint extends TrafficTotals {
  /** When the step begins, in milliseconds since the epoch. */
  readonly at: number;
}

/** A stretch of time, looked at in steps. */
export interface TrafficSpan {
  /** Whole minutes, a day at most, and a multiple of `stepMinutes`. */
  readonly minutes: number;
  readonly stepMinutes: number;
}

/**
 * Requests to one listener, minute by minute over the last day, in memory of a fixed size (about 450 kB). Counting a
 * request is a few additions to typed arrays.
 */
export class Traffic {
  readonly #requests = new Uint32Array(keptMinutes);
  readonly #clientErrors = new Uint32Array(keptMinutes);
  readonly #serverErrors = new Uint32Array(keptMinutes);
  readonly #bytesIn = new Float64Array(keptMinutes);
  readonly #bytesOut = new Float64Array(keptMinutes);
  /** The buckets of a minute stand together. */
  readonly #latencies = new Uint32Array(keptMinutes * latencyBuckets);
  /** The minute, since the epoch, that is being counted. */
  #minute = -1;

  /** Counts a request that was answered at `now`, in milliseconds since the epoch. */
  observe(request: TrafficObservation, now: number): void {
    const slot = this.#advance(now);
    this.#requests[slot]++;
    if (request.isClientError) this.#clientErrors[slot]++;
    if (request.isServerError) this.#serverErrors[slot]++;
    this.#bytesIn[slot] += request.bytesIn;
    this.#bytesOut[slot] += request.bytesOut;
    if (request.durationMs !== undefined) {
      this.#latencies[slot * latencyBuckets + latencyBucket(request.durationMs)]++;
    }
  }

  /** What happened in the steps that end with the one of `now`, which is not over yet; oldest first. */
  points(now: number, { minutes, stepMinutes }: TrafficSpan): TrafficPoint[] {
    const first = this.#firstMinute(now, { minutes, stepMinutes });
    return Array.from({ length: minutes / stepMinutes }, (_, step) => {
      const minute = first + step * stepMinutes;
      return { at: minute * minuteMs, ...this.#sum(minute, stepMinutes) };
    });
  }

  /** What happened in all the steps of {@link points} together. */
  totals(now: number, span: TrafficSpan): TrafficTotals {
    return this.#sum(this.#firstMinute(now, span), span.minutes);
  }

  /** Steps begin at whole multiples of their length, so that a chart does not change its shape each minute. */
  #firstMinute(now: number, { minutes, stepMinutes }: TrafficSpan): number {
    this.#advance(now);
    return (Math.floor(this.#minute / stepMinutes) + 1) * stepMinutes - minutes;
  }

  #sum(firstMinute: number, minutes: number): TrafficTotals {
    const sums = { requests: 0, clientErrors: 0, serverErrors: 0, bytesIn: 0, bytesOut: 0 };
    const latencies = new Float64Array(latencyBuckets);
    // The last step may end after the minute that is being counted; its slots are still those of a day ago.
    const end = Math.min(firstMinute + minutes, this.#minute + 1);
    for (let minute = firstMinute; minute < end; minute++) {
      const slot = slotOf(minute);
      if (this.#requests[slot] === 0) continue;
      sums.requests += this.#requests[slot];
      sums.clientErrors += this.#clientErrors[slot];
      sums.serverErrors += this.#serverErrors[slot];
      sums.bytesIn += this.#bytesIn[slot];
      sums.bytesOut += this.#bytesOut[slot];
      const offset = slot * latencyBuckets;
      for (let bucket = 0; bucket < latencyBuckets; bucket++) {
        latencies[bucket] += this.#latencies[offset + bucket];
      }
    }
    return { ...sums, latency: percentiles(latencies) };
  }

  /** The slot of the minute of `now`; empties those of the minutes since the last call. A clock set back counts on. */
  #advance(now: number): number {
    const minute = Math.floor(now / minuteMs);
    if (minute > this.#minute) {
      for (let next = Math.max(this.#minute + 1, minute - keptMinutes + 1); next <= minute; next++) {
        this.#clear(slotOf(next));
      }
      this.#minute = minute;
    }
    return slotOf(this.#minute);
  }

  #clear(slot: number): void {
    this.#requests[slot] = this.#clientErrors[slot] = this.#serverErrors[slot] = 0;
    this.#bytesIn[slot] = this.#bytesOut[slot] = 0;
    this.#latencies.fill(0, slot * latencyBuckets, (slot + 1) * latencyBuckets);
  }
}

function slotOf(minute: number): number {
  return minute % keptMinutes;
}
