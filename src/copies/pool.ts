import { clientGoneProblem } from "../backends/upstream_error.ts";

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
  const breaking = new AbortController();
  const breakOff = () => breaking.abort();
  signal.addEventListener("abort", breakOff, { once: true });
  const results: R[] = [];
  const queue = numbered(items);
  let failure: { readonly error: unknown } | undefined;
  const workOn = async () => {
    for (const [index, item] of queue) {
      try {
        results[index] = await work(item, breaking.signal);
      } catch (error) {
        failure ??= { error };
        breaking.abort();
      }
      if (breaking.signal.aborted) return;
    }
  };
  try {
    if (signal.aborted) breakOff();
    await Promise.all(Array.from({ length: limit }, workOn));
  } finally {
    signal.removeEventListener("abort", breakOff);
  }
  if (failure !== undefined) throw failure.error;
  if (breaking.signal.aborted) throw clientGoneProblem();
  return results;
}

function* numbered<T>(items: Iterable<T>): Generator<[index: number, item: T]> {
  let index = 0;
  for (const item of items) yield [index++, item];
}
