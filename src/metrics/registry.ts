import { exposition, type Metric } from "./exposition.ts";

/** Every metric of the program. */
export class MetricsRegistry {
  readonly #metrics = new Map<string, Metric>();

  /** Adds metrics; throws `TypeError` for a name that is taken. */
  add(...metrics: Metric[]): void {
    for (const metric of metrics) {
      if (this.#metrics.has(metric.name)) throw new TypeError(`two metrics are called ${metric.name}`);
      this.#metrics.set(metric.name, metric);
    }
  }

  /** What a scrape gets, in the text format. */
  text(): string {
    return [...this.#metrics.values()].map(exposition).join("");
  }
}
