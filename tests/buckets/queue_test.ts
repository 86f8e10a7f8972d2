import assert from "node:assert/strict";
import { NamedQueue } from "../../src/buckets/settings/queue.ts";

Deno.test("tasks of one name run one after the other, also after one that failed", async () => {
  const queue = new NamedQueue({ timeoutMs: 10_000, timeoutError: () => new Error("late") });
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const task = (label: string, wait?: Promise<void>) => async () => {
    order.push(`${label} begins`);
    await wait;
    order.push(`${label} ends`);
    return label;
  };
  const failing = queue.run("a", () => first.promise);
  const second = queue.run("a", task("second"));
  const third = queue.run("a", task("third"));
  assert.equal(await queue.run("b", task("other")), "other");
  assert.deepEqual(order, ["other begins", "other ends"]);
  first.reject(new Error("failed"));
  await assert.rejects(failing, /failed/);
  assert.deepEqual(await Promise.all([second, third]), ["second", "third"]);
  assert.deepEqual(order.slice(2), ["second begins", "second ends", "third begins", "third ends"]);
});

Deno.test("a task whose turn does not come in time never runs, and holds up nobody", async () => {
  const queue = new NamedQueue({ timeoutMs: 1, timeoutError: () => new Error("late") });
  const first = Promise.withResolvers<string>();
  const running = queue.run("a", () => first.promise);
  let hasRun = false;
  await assert.rejects(
    queue.run("a", () => {
      hasRun = true;
      return Promise.resolve();
    }),
    /late/,
  );
  first.resolve("first");
  assert.equal(await running, "first");
  assert.equal(await queue.run("a", () => Promise.resolve("next")), "next");
  assert.equal(hasRun, false);
});
