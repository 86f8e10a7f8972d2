import { mapPool } from "../backends/map_pool.ts";
import { requireKey, requirePrefix } from "../backends/names.ts";
import { compareKeys } from "../objects/key_order.ts";
import { listObjects } from "../objects/listing.ts";
import { badRequest, Problem } from "../problem.ts";
import { type ListedItem, type Listing, objectPages, type Page } from "./pages.ts";

/** Most keys and prefixes of one selection together. */
export const maxSelected = 1000;

/** Keys whose sizes are asked for together, and how many of these requests go at once. */
const keysPerPage = 100;
const concurrency = 8;

/** Some of what is under a prefix: single objects, and everything under longer prefixes. */
export interface Selection {
  readonly keys?: readonly string[];
  readonly prefixes?: readonly string[];
}

/** Whether only some of what is under a prefix is meant. */
export function isSelective({ keys, prefixes }: Selection): boolean {
  return keys !== undefined || prefixes !== undefined;
}

/**
 * Checks a selection. Throws 400 `invalid_key` and `invalid_prefix`, also for what is not under `prefix`, 400 `bad_request`
 * for an empty one and 400 `too_many_keys`.
 */
export function requireSelection(prefix: string, selection: Selection): void {
  if (!isSelective(selection)) return;
  const { keys = [], prefixes = [] } = selection;
  if (keys.length + prefixes.length === 0) throw badRequest("keys: nothing is selected", { field: "keys" });
  if (keys.length + prefixes.length > maxSelected) {
    throw new Problem(400, "too_many_keys", `A selection has at most ${maxSelected} keys and prefixes.`);
  }
  keys.forEach(requireKey);
  prefixes.forEach(requirePrefix);
  if (![...keys, ...prefixes].every((text) => text.startsWith(prefix))) {
    throw new Problem(400, "invalid_prefix", "What is selected is not under the prefix.");
  }
}

/** Whether an object is among what is selected under a prefix. */
export function isSelected(prefix: string, selection: Selection, key: string): boolean {
  if (!isSelective(selection)) return key.startsWith(prefix);
  const { keys = [], prefixes = [] } = selection;
  return keys.includes(key) || prefixes.some((selected) => key.startsWith(selected));
}

/** The texts that the keys of what is selected begin with. No key holds the last character of those of single objects. */
export function selectedPrefixes(prefix: string, selection: Selection): string[] {
  if (!isSelective(selection)) return [prefix];
  const { keys = [], prefixes = [] } = selection;
  return [...prefixes, ...keys.map((key) => `${key}\0`)];
}

/**
 * Lists what is selected under the prefix of a listing, in the order of keys. A selected key without an object is listed as
 * an empty one: what is done with it tells that it is missing. Throws as `objectPages` does.
 */
export function selectedPages(listing: Listing, selection: Selection): AsyncGenerator<Page> {
  return isSelective(selection) ? pagesOf(listing, selection) : objectPages(listing);
}

async function* pagesOf(listing: Listing, { keys = [], prefixes = [] }: Selection): AsyncGenerator<Page> {
  const { after } = listing;
  const widest = widestOf(prefixes);
  const single = [...new Set(keys)].filter((key) => !widest.some((prefix) => key.startsWith(prefix)));
  const isPrefix = new Set(widest);
  const parts = [...widest, ...single].sort(compareKeys);
  let batch: string[] = [];
  for (const part of parts) {
    if (!isPrefix.has(part)) {
      if (after === undefined || compareKeys(part, after) > 0) batch.push(part);
      if (batch.length < keysPerPage) continue;
    }
    if (batch.length > 0) yield await pageOfKeys(listing, batch);
    batch = [];
    if (isPrefix.has(part)) yield* objectPages({ ...listing, prefix: part, after: startOf(part, after) });
  }
  if (batch.length > 0) yield await pageOfKeys(listing, batch);
}

/** Where the listing of a prefix goes on after a position; one before the prefix is its beginning. */
function startOf(prefix: string, after: string | undefined): string | undefined {
  return after !== undefined && compareKeys(after, prefix) >= 0 ? after : undefined;
}

async function pageOfKeys({ scope, signal }: Listing, keys: readonly string[]): Promise<Page> {
  const items = await mapPool(keys, concurrency, signal, async (key, signal): Promise<ListedItem> => {
    // Asked for a single key, MinIO does not list but looks for the object, and finds one of a similar name.
    const { objects } = await listObjects(scope(), { prefix: key, delimiter: "", maxKeys: 2 }, signal);
    return { key, size: objects[0]?.key === key ? objects[0].size : 0 };
  });
  return { items, position: keys.at(-1) };
}

/** The prefixes that begin with no other one, in the order of keys. */
function widestOf(prefixes: readonly string[]): string[] {
  const widest: string[] = [];
  for (const prefix of [...prefixes].sort(compareKeys)) {
    const last = widest.at(-1);
    if (last === undefined || !prefix.startsWith(last)) widest.push(prefix);
  }
  return widest;
}
