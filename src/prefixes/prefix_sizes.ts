import { z } from "zod";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { noFigures, withItems } from "./figures.ts";
import { objectPages } from "./pages.ts";

/** What a prefix holds, in the form the API answers. */
export const prefixSizeSchema = z.strictObject({
  prefix: z.string(),
  bytes: z.int(),
  count: z.int(),
  computed_at: z.iso.datetime(),
  /** Whether there is more than could be counted in time. */
  truncated: z.boolean(),
});

/** See {@link prefixSizeSchema}. */
export type PrefixSize = z.output<typeof prefixSizeSchema>;

/** A count ends after so many pages, or after the first one that comes later than this, in milliseconds. */
const maxPages = 100;
const maxMilliseconds = 5000;

/** A size is kept so many times as long as it took to count. */
const keptFor = 10;

/** So many sizes are kept. */
const maxKept = 200;

/** What prefixes hold, counted when asked for and kept for a while that grows with the effort. */
export class PrefixSizes {
  readonly #clock: () => number;
  readonly #kept = new Map<string, { readonly size: PrefixSize; readonly until: number }>();

  /** `clock` is in milliseconds since the epoch. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** What is under a prefix. Throws 404 `not_found` for an unknown bucket. */
  async get(scope: BucketScope, prefix: string, signal: AbortSignal): Promise<PrefixSize> {
    const { id, endpoint } = scope.connection.backend;
    const name = JSON.stringify([id, endpoint, scope.bucket, prefix]);
    const start = this.#clock();
    const kept = this.#kept.get(name);
    if (kept !== undefined && start < kept.until) return kept.size;
    const size = await this.#count(scope, prefix, signal);
    const now = this.#clock();
    this.#kept.delete(name);
    this.#kept.set(name, { size, until: now + keptFor * (now - start) });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept) this.#kept.delete(oldest);
    return size;
  }

  async #count(scope: BucketScope, prefix: string, signal: AbortSignal): Promise<PrefixSize> {
    const end = this.#clock() + maxMilliseconds;
    let figures = noFigures;
    let pages = 0;
    let truncated = false;
    for await (const { items } of objectPages({ scope: () => scope, prefix, signal })) {
      truncated = pages === maxPages || this.#clock() > end;
      if (truncated) break;
      figures = withItems(figures, items);
      pages++;
    }
    const { bytes, count } = figures;
    return { prefix, bytes, count, computed_at: new Date(this.#clock()).toISOString(), truncated };
  }
}
