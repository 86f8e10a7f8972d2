import { linkSignal } from "../backends/linked_signal.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import type { S3Connection } from "../backends/s3_client.ts";
import { timeoutProblem, upstreamProblem } from "../backends/upstream_error.ts";
import type { BucketService } from "../buckets/service.ts";
import { listObjects } from "../objects/listing.ts";
import { Problem } from "../problem.ts";

/** How long each backend may take, in milliseconds. */
const backendTimeoutMs = 2_000;

/** How many buckets of one backend are looked into at once. */
const bucketsAtOnce = 8;

/** What is looked for. */
export interface SearchQuery {
  /** Part of a bucket's name, in any case, or the beginning of an object's key. */
  readonly text: string;
  /** Most buckets and most objects of each backend. */
  readonly limit: number;
  /** The buckets that are looked into, by the id of their backend. */
  readonly within: ReadonlyMap<string, readonly string[]>;
  /** Where keys are looked for; what follows it begins with `text` then, and no buckets are. All keys when absent. */
  readonly prefix?: string;
  /** The id of the only backend to search; all of them when absent. */
  readonly backend?: string;
  /** Ends all requests to the backends. */
  readonly signal: AbortSignal;
}

/** An object that was found. */
export interface FoundObject {
  readonly bucket: string;
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** RFC 3339. */
  readonly lastModified: string;
}

/** What one backend has, as far as it has answered in time. */
export interface BackendFindings {
  readonly backend: string;
  /** Names of buckets. */
  readonly buckets: readonly string[];
  readonly objects: readonly FoundObject[];
  /** Whether there is more than `limit` of either. */
  readonly isTruncated: boolean;
  /** Why not all of the backend was searched. */
  readonly problem?: Problem;
}

/** What {@link searchBackends} searches. */
export interface SearchDeps {
  readonly registry: BackendRegistry;
  readonly buckets: BucketService;
}

/**
 * Searches the enabled backends that are asked for at once; each has its own time, so that none holds up another. Gives a promise for each that
 * does not reject, in the order of the backends.
 */
export function searchBackends(deps: SearchDeps, query: SearchQuery): Promise<BackendFindings>[] {
  return deps.registry.list()
    .filter(({ id, enabled }) => enabled && (query.backend ?? id) === id)
    .map(({ id }) => searchOne(deps, id, query));
}

async function searchOne(deps: SearchDeps, backend: string, query: SearchQuery): Promise<BackendFindings> {
  const buckets: string[] = [];
  const objects: FoundObject[] = [];
  const pending = [...query.within.get(backend) ?? []];
  const problem = await withinTime(query.signal, (signal) => {
    const connection = deps.registry.connect(backend);
    const findBuckets = async () => {
      if (query.prefix !== undefined) return;
      const all = await deps.buckets.list(connection, signal);
      const text = query.text.toLowerCase();
      buckets.push(...all.map(({ name }) => name).filter((name) => name.toLowerCase().includes(text)));
    };
    const lookInside = async () => {
      for (let bucket = pending.shift(); bucket !== undefined; bucket = pending.shift()) {
        objects.push(...await findObjects(connection, bucket, query, signal));
      }
    };
    return [findBuckets(), ...Array.from({ length: bucketsAtOnce }, lookInside)];
  });
  objects.sort((first, second) => compare(first.bucket, second.bucket) || compare(first.key, second.key));
  const { limit } = query;
  return {
    backend,
    buckets: buckets.slice(0, limit),
    objects: objects.slice(0, limit),
    isTruncated: buckets.length > limit || objects.length > limit,
    problem,
  };
}

/** One object more than the limit tells that there are more. A bucket that is no more, or is not to be read, has none. */
async function findObjects(
  connection: S3Connection,
  bucket: string,
  { text, prefix = "", limit }: SearchQuery,
  signal: AbortSignal,
): Promise<FoundObject[]> {
  try {
    const page = await listObjects(
      { connection, bucket },
      { prefix: prefix + text, delimiter: "", maxKeys: limit + 1 },
      signal,
    );
    return page.objects.map(({ key, size, last_modified }) => ({
      bucket,
      key,
      size,
      lastModified: last_modified,
    }));
  } catch (error) {
    if (error instanceof Problem && error.status < 500 && !signal.aborted) return [];
    throw error;
  }
}

/**
 * Starts requests and waits for all of them, until their time is over or `parent` is aborted, which ends them. Returns why one
 * of them, if any, failed.
 */
async function withinTime(
  parent: AbortSignal,
  start: (signal: AbortSignal) => Promise<void>[],
): Promise<Problem | undefined> {
  const { signal, abort, unlink } = linkSignal(parent);
  let late: Problem | undefined;
  const timer = setTimeout(() => abort(late = timeoutProblem()), backendTimeoutMs);
  try {
    const results = await Promise.allSettled(start(signal));
    const failed = results.find((result) => result.status === "rejected");
    return failed && (late ?? upstreamProblem(failed.reason));
  } catch (error) {
    return upstreamProblem(error);
  } finally {
    clearTimeout(timer);
    unlink();
  }
}

function compare(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}
