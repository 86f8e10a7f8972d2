import { linkSignal } from "./linked_signal.ts";
import { clientGoneProblem } from "./upstream_error.ts";

/**
 * Does `work` for each of `items`, at most `limit` at once, and gives the results in their order. After a failure nothing
 * more is begun and what is under way is broken off; the failure is thrown once all of that has ended.
 */
export async function mapPool<T, R>(
  items: Iterable<T>,
  limit: number,
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const link = linkSignal(signal);
  const results: R[] = [];
  const queue = numbered(items);
  let failure: { readonly error: unknown } | undefined;
  const workOn = async () => {
    for (const [index, item] of queue) {
      try {
        results[index] = await work(item, link.signal);
      } catch (error) {
        failure ??= { error };
        link.abort();
      }
      if (link.signal.aborted) return;
    }
  };
  try {
    await Promise.all(Array.from({ length: limit }, workOn));
  } finally {
    link.unlink();
  }
  if (failure !== undefined) throw failure.error;
  if (link.signal.aborted) throw clientGoneProblem();
  return results;
}

function* numbered<T>(items: Iterable<T>): Generator<[index: number, item: T]> {
  let index = 0;
  for (const item of items) yield [index++, item];
}
