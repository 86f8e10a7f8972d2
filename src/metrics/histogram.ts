import { labelText, type Metric, numberText, sampleLine } from "./exposition.ts";

interface Series {
  /** As it is written, so that a scrape has no work with it. */
  readonly labels: string;
  /** How many values fell into each bucket alone; the last one is for those above every bound. */
  readonly counts: number[];
  sum: number;
}

/** What a {@link Histogram} is. */
export interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  /** The one label, whose values must be of a fixed set. */
  readonly label: string;
  /** Upper bounds of the buckets, ascending; the one for everything is added. */
  readonly bounds: readonly number[];
}

/** Seconds, for answers from memory in under 1 ms as well as for uploads of minutes. */
export const durationBounds: readonly number[] = [
  0.0005,
  0.001,
  0.0025,
  0.005,
  0.01,
  0.025,
  0.05,
  0.1,
  0.25,
  0.5,
  1,
  2.5,
  5,
  10,
  30,
  60,
  120,
  300,
];

/** Bytes, from 256 B to 4 GiB in steps of 16. */
export const sizeBounds: readonly number[] = [8, 12, 16, 20, 24, 28, 32].map((power) => 2 ** power);

/** How values are spread, for each value of one label. */
export class Histogram implements Metric {
  readonly type = "histogram";
  readonly name: string;
  readonly help: string;
  readonly #label: string;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Series>();

  constructor({ name, help, label, bounds }: HistogramOptions) {
    this.name = name;
    this.help = help;
    this.#label = label;
    this.#bounds = bounds;
  }

  /** Counts a value. */
  observe(value: number, label: string): void {
    let series = this.#series.get(label);
    if (series === undefined) {
      const counts = new Array<number>(this.#bounds.length + 1).fill(0);
      series = { labels: labelText([this.#label], [label]), counts, sum: 0 };
      this.#series.set(label, series);
    }
    let index = 0;
    while (index < this.#bounds.length && value > this.#bounds[index]) index++;
    series.counts[index]++;
    series.sum += value;
  }

  *lines(): Generator<string> {
    for (const { labels, counts, sum } of this.#series.values()) {
      let total = 0;
      for (const [index, count] of counts.entries()) {
        total += count;
        const bound = numberText(this.#bounds[index] ?? Infinity);
        yield sampleLine(`${this.name}_bucket`, `${labels},le="${bound}"`, total);
      }
      yield sampleLine(`${this.name}_sum`, labels, sum);
      yield sampleLine(`${this.name}_count`, labels, total);
    }
  }
}
