import { Counter } from "./counter.ts";
import type { Metric } from "./exposition.ts";

/** What can become of a request to a share: `detail.result` of its audit record. */
const knownResults = new Set([
  "ok",
  "password_required",
  "bad_password",
  "expired",
  "revoked",
  "exhausted",
  "not_found",
  "rate_limited",
]);

/** The metrics of requests to shares. */
export class ShareMetrics {
  readonly #requests = new Counter(
    "service_share_requests_total",
    "Requests to share links that were answered.",
    ["result"],
  );

  /** What is to be scraped. */
  readonly metrics: readonly Metric[] = [this.#requests];

  /** Counts a request; a result that is none of the fixed ones counts as `error`. */
  observe(result: string): void {
    this.#requests.add(1, knownResults.has(result) ? result : "error");
  }
}
