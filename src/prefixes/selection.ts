import { requireKey, requirePrefix } from "../backends/names.ts";
import { compareKeys } from "../objects/key_order.ts";
import { badRequest, Problem } from "../problem.ts";
import { keyPages, keyVersionPages } from "./key_pages.ts";
import { type Listing, objectPages, type Page, versionPages } from "./pages.ts";

/** Most keys and prefixes of one selection together. */
export const maxSelected = 1000;

/** Single keys that are listed together. */
const keysPerPage = 100;

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

/** How what is selected is listed. */
interface SelectedKind {
  under(listing: Listing): AsyncIterable<Page>;
  of(listing: Listing, keys: readonly string[]): AsyncIterable<Page>;
}

const objects: SelectedKind = { under: objectPages, of: keyPages };
const versions: SelectedKind = { under: versionPages, of: keyVersionPages };

/**
 * Lists what is selected under the prefix of a listing, in the order of keys. A selected key without an object is listed as
 * an empty one: what is done with it tells that it is missing. Throws as `objectPages` does.
 */
export function selectedPages(listing: Listing, selection: Selection): AsyncIterable<Page> {
  return pagesOf(objects, listing, selection);
}

/** Lists all versions and delete markers of what is selected, in the order of keys. Throws as `versionPages` does. */
export function selectedVersionPages(listing: Listing, selection: Selection): AsyncIterable<Page> {
  return pagesOf(versions, listing, selection);
}

async function* pagesOf(kind: SelectedKind, listing: Listing, selection: Selection): AsyncGenerator<Page> {
  if (!isSelective(selection)) return yield* kind.under(listing);
  const { keys = [], prefixes = [] } = selection;
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
    if (batch.length > 0) yield* kind.of(listing, batch);
    batch = [];
    if (isPrefix.has(part)) yield* kind.under({ ...listing, prefix: part, after: startOf(part, after) });
  }
  if (batch.length > 0) yield* kind.of(listing, batch);
}

/** Where the listing of a prefix goes on after a position; one before the prefix is its beginning. */
function startOf(prefix: string, after: string | undefined): string | undefined {
  return after !== undefined && compareKeys(after, prefix) >= 0 ? after : undefined;
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
