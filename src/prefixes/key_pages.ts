import { mapPool } from "../backends/map_pool.ts";
import { withRetries } from "../backends/retries.ts";
import { listKeyVersions } from "../objects/key_versions.ts";
import { listObjects } from "../objects/listing.ts";
import type { ListedItem, Listing, Page } from "./pages.ts";

/** Most keys or versions that backends list, or delete, at once. */
const maxItems = 1000;

/** How many requests for single keys go at once; for no more keys than these, each is asked for by itself. */
const concurrency = 8;

/** Lists single keys, given in their order, with their sizes, as one page. A key without an object is an empty one. */
export async function* keyPages(listing: Listing, keys: readonly string[]): AsyncGenerator<Page> {
  const { scope, pausesMs = [], signal } = listing;
  const known = keys.length > concurrency ? await sizesAfter(listing, keys[0]) : new Map<string, number>();
  const items = await mapPool(keys, concurrency, signal, async (key, signal): Promise<ListedItem> => {
    const size = known.get(key);
    if (size !== undefined) return { key, size };
    // Asked for a single key, MinIO does not list but looks for the object, and finds one of a similar name.
    const query = { prefix: key, delimiter: "", maxKeys: 2 };
    const { objects } = await withRetries(() => listObjects(scope(), query, signal), { pausesMs, signal });
    return { key, size: objects[0]?.key === key ? objects[0].size : 0 };
  });
  yield { items, position: keys.at(-1) };
}

/** The sizes of the objects that come after a key. Selected keys are mostly neighbours: one request tells of many. */
async function sizesAfter(
  { scope, prefix, pausesMs = [], signal }: Listing,
  startAfter: string,
): Promise<Map<string, number>> {
  const query = { prefix, delimiter: "", startAfter, maxKeys: maxItems };
  const { objects } = await withRetries(() => listObjects(scope(), query, signal), { pausesMs, signal });
  return new Map(objects.map(({ key, size }) => [key, size]));
}

/** Lists all versions and delete markers of single keys, given in their order. */
export async function* keyVersionPages(listing: Listing, keys: readonly string[]): AsyncGenerator<Page> {
  const { signal } = listing;
  const found = await mapPool(keys, concurrency, signal, (key, signal) => versionsOf(listing, key, signal));
  const items = found.flat();
  for (let at = 0; at < items.length; at += maxItems) {
    const isLast = at + maxItems >= items.length;
    yield { items: items.slice(at, at + maxItems), position: isLast ? keys.at(-1) : undefined };
  }
}

/** All of them at once: a backend may not know where to go on after a version that is no longer there. */
async function versionsOf(
  { scope, pausesMs = [] }: Listing,
  key: string,
  signal: AbortSignal,
): Promise<ListedItem[]> {
  const items: ListedItem[] = [];
  let versionIdMarker: string | undefined;
  do {
    const query = { key, versionIdMarker, maxKeys: maxItems };
    const page = await withRetries(() => listKeyVersions(scope(), query, signal), { pausesMs, signal });
    for (const { versionId, size } of page.versions) items.push({ key, versionId, size });
    versionIdMarker = page.isTruncated ? page.nextVersionIdMarker : undefined;
  } while (versionIdMarker !== undefined);
  return items;
}
