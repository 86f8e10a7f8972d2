import type { BucketScope } from "../backends/bucket_scope.ts";
import { withRetries } from "../backends/retries.ts";
import { foreignAnswerProblem } from "../backends/upstream_error.ts";
import type { JobItem } from "../jobs/job.ts";
import { compareKeys } from "../objects/key_order.ts";
import { listObjects } from "../objects/listing.ts";
import { listVersions } from "../objects/version_listing.ts";

/** What is to be listed. */
export interface Listing {
  /** The bucket, asked for before every page: its backend may have been changed or removed meanwhile. */
  readonly scope: () => BucketScope;
  readonly prefix: string;
  /** The `position` of a page of an earlier listing, after which this one begins. */
  readonly after?: string;
  readonly signal: AbortSignal;
  /** After which pauses, in milliseconds, a page that could not be listed is tried again; not at all unless told. */
  readonly pausesMs?: readonly number[];
}

/** An object, or a version of one, as a listing has it. */
export interface ListedItem extends JobItem {
  /** In bytes. */
  readonly size: number;
}

/** Some of what is under a prefix. */
export interface Page {
  readonly items: readonly ListedItem[];
  /**
   * A key after which a later listing has everything that comes after this page, and maybe some of it again; `undefined`
   * where the backend lists in another order than that of the keys.
   */
  readonly position?: string;
}

/** Most keys that backends list at once. */
const maxKeys = 1000;

/** Lists all objects under a prefix. Throws what `scope` throws, and 404 `not_found` for an unknown bucket. */
export async function* objectPages(listing: Listing): AsyncGenerator<Page> {
  const { prefix, after, signal } = listing;
  const query = { prefix, delimiter: "", startAfter: after, maxKeys };
  const positions = new Positions();
  const pages = readAhead(listing, async (previous?: Awaited<ReturnType<typeof listObjects>>) => {
    const token = previous?.next_continuation_token;
    const page = await listObjects(listing.scope(), { ...query, token }, signal);
    const next = page.next_continuation_token;
    // The same page for ever, or a half-told one, is no listing.
    if (page.is_truncated && (next === undefined || next === token)) throw foreignAnswerProblem(200);
    return { ...page, isTruncated: page.is_truncated };
  });
  for await (const { objects } of pages) {
    const items = objects.filter(({ key }) => key.startsWith(prefix))
      .map(({ key, size }) => ({ key, size }));
    yield { items, position: positions.after(items, false) };
  }
}

/**
 * Lists all versions and delete markers under a prefix. What a page has may be deleted while the listing goes on. Throws as
 * {@link objectPages} does, and 400 `not_supported` where the backend knows no versions.
 */
export async function* versionPages(listing: Listing): AsyncGenerator<Page> {
  const { prefix, after, signal } = listing;
  const positions = new Positions();
  const pages = readAhead(
    listing,
    async (previous?: Awaited<ReturnType<typeof listVersions>>) =>
      await listVersions(listing.scope(), {
        prefix,
        maxKeys,
        keyMarker: previous === undefined ? after : previous.nextKeyMarker,
        versionIdMarker: previous?.nextVersionIdMarker,
      }, signal),
  );
  for await (const { versions, isTruncated } of pages) {
    const items = versions.filter(({ key }) => key.startsWith(prefix)).map((version) => ({
      key: version.key,
      versionId: version.versionId,
      size: version.size,
    }));
    yield { items, position: positions.after(items, isTruncated) };
  }
}

/**
 * Yields page after page, each once its successor is there: a backend may not know where to go on when the last version of
 * a page is no longer there.
 */
async function* readAhead<P extends { readonly isTruncated: boolean }>(
  { pausesMs = [], signal }: Listing,
  fetch: (previous?: P) => Promise<P>,
): AsyncGenerator<P> {
  const fetchAfter = (previous?: P) => withRetries(() => fetch(previous), { pausesMs, signal });
  let page: P | undefined = await fetchAfter();
  while (page !== undefined) {
    const next: Promise<P | undefined> = page.isTruncated ? fetchAfter(page) : Promise.resolve(undefined);
    await Promise.allSettled([next]);
    yield page;
    page = await next;
  }
}

/** Follows a listing and tells where a later one can go on. */
class Positions {
  #last = "";
  #isOrdered = true;
  #position: string | undefined;

  /** The position after a page; `isSplit` when the next one may have more versions of its last key. */
  after(items: readonly ListedItem[], isSplit: boolean): string | undefined {
    for (const { key } of items) {
      if (compareKeys(key, this.#last) < 0) this.#isOrdered = false;
      if (key !== this.#last && this.#last !== "") this.#position = this.#last;
      this.#last = key;
    }
    if (!isSplit && this.#last !== "") this.#position = this.#last;
    return this.#isOrdered ? this.#position : undefined;
  }
}
