import { labelText, type Metric, sampleLine } from "./exposition.ts";

interface Series {
  /** As it is written, so that a scrape has no work with it. */
  readonly labels: string;
  value: number;
}

/**
 * A sum that only grows, one for each combination of label values. Adding costs a look-up in a map. The values must be of
 * fixed sets: each combination takes memory for as long as the program runs.
 */
export class Counter implements Metric {
  readonly type = "counter";
  readonly #labelNames: readonly string[];
  readonly #series = new Map<string, Series>();

  /** A counter without labels is there with 0 from the start. */
  constructor(readonly name: string, readonly help: string, labelNames: readonly string[] = []) {
    this.#labelNames = labelNames;
    if (labelNames.length === 0) this.add(0);
  }

  /** Adds to the sum of up to four label values, in the order of the names. */
  add(amount: number, first = "", second = "", third = "", fourth = ""): void {
    const key = `${first}\n${second}\n${third}\n${fourth}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = { labels: labelText(this.#labelNames, [first, second, third, fourth]), value: 0 };
      this.#series.set(key, series);
    }
    series.value += amount;
  }

  *lines(): Generator<string> {
    for (const { labels, value } of this.#series.values()) yield sampleLine(this.name, labels, value);
  }
}
