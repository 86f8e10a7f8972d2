import assert from "node:assert/strict";
import { handleInOrder } from "../../src/prefixes/in_order.ts";

/** Handles numbers up to `count`; `until` says when each of them is done. */
async function run(count: number, handle: (unit: number) => Promise<void>, stopping = new AbortController()) {
  const reported: number[] = [];
  let running = 0;
  let most = 0;
  const result = handleInOrder(Array(count).keys(), {
    concurrency: 4,
    stopping: stopping.signal,
    async handle(unit) {
      most = Math.max(most, ++running);
      try {
        await handle(unit);
      } finally {
        running--;
      }
      return () => void reported.push(unit);
    },
  });
  const error = await result.then(() => undefined, (reason) => reason);
  assert.equal(running, 0, "everything that was begun has ended");
  return { reported, most, error };
}

Deno.test("what is handled together is reported in order", async () => {
  const first = Promise.withResolvers<void>();
  const { reported, most } = await run(100, async (unit) => {
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (unit === 0) await first.promise;
    if (unit === 99) first.resolve();
  });
  assert.deepEqual(reported, [...Array(100).keys()]);
  assert.equal(most, 4);
});

Deno.test("no more than a thousand wait for one that takes long", async () => {
  const first = Promise.withResolvers<void>();
  let latest = 0;
  const { reported } = await run(3000, async (unit) => {
    latest = Math.max(latest, unit);
    if (unit === 999) setTimeout(first.resolve, 0);
    if (unit !== 0) return;
    await first.promise;
    assert.equal(latest, 999);
  });
  assert.equal(reported.length, 3000);
});

Deno.test("an error ends it, and nothing after it is reported", async () => {
  const { reported, error } = await run(100, (unit) => {
    return unit === 10 ? Promise.reject(new Error("broken")) : Promise.resolve();
  });
  assert.equal(error?.message, "broken");
  assert.deepEqual(reported, [...Array(10).keys()]);
});

Deno.test("when it is to stop, what was begun ends and nothing more begins", async () => {
  const stopping = new AbortController();
  const { reported, error } = await run(100, async (unit) => {
    if (unit === 5) stopping.abort();
    await Promise.resolve();
  }, stopping);
  assert.equal(error, undefined);
  assert.ok(reported.length >= 6 && reported.length < 10, String(reported.length));
});
