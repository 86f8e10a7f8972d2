import { type Metric, sampleLine } from "./exposition.ts";

/** What a {@link CallbackMetric} is. */
export interface CallbackMetricOptions {
  readonly name: string;
  readonly help: string;
  /** `counter` for a sum that another part keeps; a `gauge`, which goes up and down, unless told. */
  readonly type?: "gauge" | "counter";
  /** Gives the value at the time of a scrape; `undefined` when it cannot be told. */
  readonly read: () => number | undefined;
}

/** A value without labels that is read when it is scraped. */
export class CallbackMetric implements Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter";
  readonly #read: () => number | undefined;

  constructor({ name, help, type = "gauge", read }: CallbackMetricOptions) {
    this.name = name;
    this.help = help;
    this.type = type;
    this.#read = read;
  }

  *lines(): Generator<string> {
    const value = this.#read();
    if (value !== undefined) yield sampleLine(this.name, "", value);
  }
}
