import assert from "node:assert/strict";
import { MemoryBudget } from "../../src/copies/memory_budget.ts";

Deno.test("no more is held than the budget allows, and all get their turn in order", async () => {
  const budget = new MemoryBudget(10);
  const begun: number[] = [];
  let held = 0;
  let most = 0;
  const hold = (bytes: number) =>
    budget.hold(bytes, async () => {
      begun.push(bytes);
      held += bytes;
      most = Math.max(most, held);
      await Promise.resolve();
      held -= bytes;
    });
  const sizes = [4, 6, 10, 1, 9, 3, 8, 0, 2];
  await Promise.all(sizes.map(hold));
  assert.deepEqual(begun, sizes);
  assert.equal(most, 10);
});

Deno.test("what fails gives its room back", async () => {
  const budget = new MemoryBudget(1);
  const failing = budget.hold(1, () => Promise.reject(new Error("broken")));
  const next = budget.hold(1, () => Promise.resolve("done"));
  await assert.rejects(failing, /broken/);
  assert.equal(await next, "done");
});
