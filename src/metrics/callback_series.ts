import { labelText, type Metric, sampleLine } from "./exposition.ts";

/** What a {@link CallbackSeries} is. */
export interface CallbackSeriesOptions {
  readonly name: string;
  readonly help: string;
  /** `counter` for sums that another part keeps; a `gauge`, which goes up and down, unless told. */
  readonly type?: "gauge" | "counter";
  /** The one label, whose values must be of a bounded set. */
  readonly label: string;
  /** Gives, at the time of a scrape, each of the label's values with the one that belongs to it. */
  readonly read: () => Iterable<readonly [label: string, value: number]>;
}

/** Values of one label that are read when they are scraped. */
export class CallbackSeries implements Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter";
  readonly #label: string;
  readonly #read: CallbackSeriesOptions["read"];

  constructor({ name, help, type = "gauge", label, read }: CallbackSeriesOptions) {
    this.name = name;
    this.help = help;
    this.type = type;
    this.#label = label;
    this.#read = read;
  }

  *lines(): Generator<string> {
    for (const [label, value] of this.#read()) {
      yield sampleLine(this.name, labelText([this.#label], [label]), value);
    }
  }
}
