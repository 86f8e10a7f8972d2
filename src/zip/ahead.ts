/**
 * Loads what comes from `source` in its order, up to `width` at once, and ahead of who asks for it. What is loaded already
 * is not held up by a source that lets wait for more. `load` must not reject.
 */
export async function* loadAhead<Item, Loaded>(
  source: AsyncIterable<Item>,
  width: number,
  load: (item: Item) => Promise<Loaded>,
): AsyncGenerator<Loaded, void> {
  const items = source[Symbol.asyncIterator]();
  const loading: Promise<Loaded>[] = [];
  const advance = () => {
    const result = items.next();
    // It may fail while nobody waits for it, and is looked at later.
    result.catch(() => {});
    return result;
  };
  let next: Promise<IteratorResult<Item>> | undefined = advance();
  try {
    while (next !== undefined || loading.length > 0) {
      const isHeadNext = next === undefined || loading.length === width || await isFirst(loading[0], next);
      if (isHeadNext) {
        const [head] = loading.splice(0, 1);
        yield await head;
        continue;
      }
      const result: IteratorResult<Item> | undefined = await next;
      if (result === undefined || result.done) next = undefined;
      else {
        loading.push(load(result.value));
        next = advance();
      }
    }
  } finally {
    items.return?.(undefined)?.catch(() => {});
  }
}

/** Whether `head`, if there is one, is settled while `next` is not; waits for either. */
function isFirst(head: Promise<unknown> | undefined, next: Promise<unknown>): Promise<boolean> {
  if (head === undefined) return Promise.resolve(false);
  return Promise.race([next.then(() => false), head.then(() => true)]);
}
