import { CallbackMetric } from "./callback_metric.ts";
import type { Metric } from "./exposition.ts";

/** Time between two measurements, in milliseconds. */
const intervalMs = 500;

/** How long a measurement counts for the maximum, in measurements: a minute. */
const remembered = 60_000 / intervalMs;

/** How late timers are: what every request has to wait for besides its own work. */
export class EventLoopLag {
  readonly #clock: () => number;
  readonly #lags: number[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;
  #expectedAt = 0;

  /** `clock` is in milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** What is to be scraped. */
  readonly metrics: readonly Metric[] = [
    new CallbackMetric({
      name: "nodejs_eventloop_lag_seconds",
      help: "How late a timer was when it was last measured.",
      read: () => (this.#lags.at(-1) ?? 0) / 1000,
    }),
    new CallbackMetric({
      name: "nodejs_eventloop_lag_max_seconds",
      help: "How late timers were at most in the last minute.",
      read: () => Math.max(0, ...this.#lags) / 1000,
    }),
  ];

  /** Measures until {@link stop}. */
  start(): void {
    this.#expectedAt = this.#clock() + intervalMs;
    this.#timer = setInterval(() => this.#measure(), intervalMs);
  }

  /** Measures no more. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #measure(): void {
    const now = this.#clock();
    this.#lags.push(Math.max(0, now - this.#expectedAt));
    if (this.#lags.length > remembered) this.#lags.shift();
    this.#expectedAt = now + intervalMs;
  }
}
