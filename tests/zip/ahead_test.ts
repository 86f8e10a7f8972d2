import assert from "node:assert/strict";
import { loadAhead } from "../../src/zip/ahead.ts";

async function* numbers(count: number) {
  for (let number = 0; number < count; number++) yield number;
}

Deno.test("what is loaded ahead comes in order, and never too much of it", async () => {
  let underWay = 0;
  let most = 0;
  const load = async (number: number) => {
    most = Math.max(most, ++underWay);
    // Later ones are done earlier.
    await new Promise((resolve) => setTimeout(resolve, 10 - number % 10));
    underWay--;
    return number;
  };
  const loaded = await Array.fromAsync(loadAhead(numbers(50), 4, load));
  assert.deepEqual(loaded, Array.from({ length: 50 }, (_, index) => index));
  assert.equal(most, 4);
});

Deno.test("what is loaded comes before a source that lets wait for more", async () => {
  const source = async function* () {
    yield 1;
    await new Promise(() => {});
  };
  const { value } = await loadAhead(source(), 4, (number) => Promise.resolve(number)).next();
  assert.equal(value, 1);
});

Deno.test("a source that fails while nobody waits for it fails later", async () => {
  const source = async function* () {
    yield* numbers(2);
    throw new Error("no more");
  };
  const ahead = loadAhead(source(), 2, (number) => Promise.resolve(number));
  assert.equal((await ahead.next()).value, 0);
  await new Promise((resolve) => setTimeout(resolve));
  await assert.rejects(Array.fromAsync(ahead), /no more/);
});
