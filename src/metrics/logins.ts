import { Counter } from "./counter.ts";
import type { Metric } from "./exposition.ts";

/** Codes that say why an attempt to sign in failed; those that are none of these share one label. */
const knownOutcomes = new Set([
  "ok",
  "invalid_credentials",
  "account_locked",
  "rate_limited",
  "mode_disabled",
  "bad_request",
  "oidc_failed",
  "forbidden",
]);

/** The metrics of attempts to sign in. */
export class LoginMetrics {
  readonly #attempts = new Counter(
    "service_login_attempts_total",
    "Attempts to sign in to the dashboard.",
    ["mode", "outcome"],
  );

  /** What is to be scraped. */
  readonly metrics: readonly Metric[] = [this.#attempts];

  /** Counts an attempt; `outcome` is `ok` or the code of its error. */
  observe(mode: "password" | "oidc", outcome: string): void {
    this.#attempts.add(1, mode, knownOutcomes.has(outcome) ? outcome : "other");
  }
}
