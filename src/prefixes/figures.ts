import { z } from "zod";
import { compareKeys } from "../objects/key_order.ts";
import type { ListedItem, Page } from "./pages.ts";

/** What is under a prefix, in the form the API answers; the keys are `null` where there is nothing. */
export const figuresSchema = z.strictObject({
  count: z.int(),
  bytes: z.int(),
  first_key: z.string().nullable(),
  last_key: z.string().nullable(),
});

/** See {@link figuresSchema}. */
export type Figures = z.output<typeof figuresSchema>;

/** The figures of nothing. */
export const noFigures: Figures = { count: 0, bytes: 0, first_key: null, last_key: null };

/** Figures with some more objects. */
export function withItems(figures: Figures, items: readonly ListedItem[]): Figures {
  return {
    count: figures.count + items.length,
    bytes: items.reduce((bytes, { size }) => bytes + size, figures.bytes),
    first_key: figures.first_key ?? items.at(0)?.key ?? null,
    last_key: items.at(-1)?.key ?? figures.last_key,
  };
}

/** Most conflicts that are named. */
const maxNamed = 100;

/** What is under a prefix that is to be copied, and what of it is in the way of that. */
export const copyFiguresSchema = figuresSchema.extend({
  /** How many objects are in the place of a copy. */
  conflicts: z.int().optional(),
  /** The first source keys of which that is so. */
  conflict_keys: z.array(z.string()).optional(),
});

/** See {@link copyFiguresSchema}. */
export type CopyFigures = z.output<typeof copyFiguresSchema>;

/** Counts what a listing has. */
export async function measure(pages: AsyncIterable<Page>): Promise<Figures> {
  let figures = noFigures;
  for await (const { items } of pages) figures = withItems(figures, items);
  return figures;
}

/**
 * Counts what a listing has, and what of it is in another listing, too, under the key that `rename` makes of its own.
 * `rename` keeps the order; where a backend does not list in the order of keys, there are no `conflicts` in the result.
 */
export async function measureConflicts(
  sources: AsyncIterable<Page>,
  targets: AsyncIterable<Page>,
  rename: (key: string) => string,
): Promise<CopyFigures> {
  const others = new OrderedKeys(targets);
  let figures = noFigures;
  let conflicts = 0;
  const conflict_keys: string[] = [];
  let last = "";
  let isOrdered = true;
  for await (const { items } of sources) {
    figures = withItems(figures, items);
    for (const { key } of items) {
      if (compareKeys(key, last) < 0) isOrdered = false;
      last = key;
      if (!isOrdered || !others.isOrdered || !await others.has(rename(key))) continue;
      conflicts++;
      if (conflict_keys.length < maxNamed) conflict_keys.push(key);
    }
  }
  return isOrdered && others.isOrdered ? { ...figures, conflicts, conflict_keys } : figures;
}

/** The keys of a listing, to be asked for in their order. */
class OrderedKeys {
  readonly #keys: AsyncIterator<string>;
  #next: IteratorResult<string, void> | undefined;
  isOrdered = true;

  constructor(pages: AsyncIterable<Page>) {
    this.#keys = keysOf(pages);
  }

  async has(key: string): Promise<boolean> {
    this.#next ??= await this.#keys.next();
    while (this.#next.done !== true && compareKeys(this.#next.value, key) < 0) {
      const last = this.#next.value;
      this.#next = await this.#keys.next();
      if (this.#next.done !== true && compareKeys(this.#next.value, last) < 0) this.isOrdered = false;
    }
    return this.#next.done !== true && this.#next.value === key;
  }
}

async function* keysOf(pages: AsyncIterable<Page>): AsyncGenerator<string, void> {
  for await (const { items } of pages) {
    for (const { key } of items) yield key;
  }
}
