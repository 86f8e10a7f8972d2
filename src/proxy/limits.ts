import { addressKey, type RateLimit, RateLimiter } from "../http/rate_limiter.ts";
import type { AnonymousBinding } from "./credentials/source.ts";
import { S3Error } from "./s3_error.ts";

/** Requests a second, each with one second of burst; 0 is no limit. */
export interface RequestRates {
  /** Of all credentials together. */
  readonly global: number;
  readonly perKey: number;
  /** Of each client address in each public bucket whose binding has no rate. */
  readonly anonymous: number;
}

const everyKey = "";

/** The limits of requests by time. All methods throw {@link S3Error} `SlowDown` with `retry-after`. */
export class RequestLimits {
  readonly #rates: RequestRates;
  readonly #global: RateLimiter;
  readonly #keys: RateLimiter;
  readonly #anonymous: RateLimiter;

  constructor(rates: RequestRates, clock: () => number) {
    this.#rates = rates;
    this.#global = new RateLimiter(rateLimit(rates.global), clock);
    this.#keys = new RateLimiter(rateLimit(rates.perKey), clock);
    this.#anonymous = new RateLimiter(rateLimit(rates.anonymous), clock);
  }

  /** Refuses while the global limit is used up, before anything is spent on the request. Takes nothing. */
  requireGlobal(): void {
    if (this.#rates.global > 0) requireNoWait(this.#global.wait(everyKey));
  }

  /** Counts a request of a credential. One that is over the credential's own limit takes nothing of the global one. */
  takeSigned(accessKeyId: string): void {
    if (this.#rates.perKey > 0) requireNoWait(this.#keys.take(accessKeyId));
    if (this.#rates.global > 0) requireNoWait(this.#global.take(everyKey));
  }

  /** Counts an anonymous request. An IPv6 client is known by its /64. */
  takeAnonymous(address: string, binding: AnonymousBinding): void {
    const rate = binding.perSourceIpRps > 0 ? binding.perSourceIpRps : this.#rates.anonymous;
    if (rate <= 0) return;
    requireNoWait(this.#anonymous.take(`${addressKey(address)} ${binding.bucket}`, rateLimit(rate)));
  }
}

/** One second of burst, but always room for one request. */
function rateLimit(rate: number): RateLimit {
  const burst = Math.max(1, rate);
  return { burst, window: burst * 1000 / rate };
}

function requireNoWait(milliseconds: number): void {
  if (milliseconds <= 0) return;
  throw new S3Error("SlowDown", "Please reduce your request rate.", {
    result: "rate_limited",
    headers: { "retry-after": String(Math.max(1, Math.ceil(milliseconds / 1000))) },
  });
}
