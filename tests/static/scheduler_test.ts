import assert from "node:assert/strict";
import { Scheduler } from "../../static/lib/scheduler.js";
import { until } from "../support/poll.ts";

/** Takes every slot that is free at once. */
async function drain(scheduler: Scheduler): Promise<number> {
  const abort = new AbortController();
  let granted = 0;
  const waiting = Array.from(
    { length: 100 },
    () => scheduler.slot("prefetch", abort.signal).then(() => granted++).catch(() => {}),
  );
  await Promise.resolve();
  abort.abort();
  await Promise.all(waiting);
  return granted;
}

Deno.test("a burst goes at once, the rest waits for the clock", async () => {
  let now = 0;
  const scheduler = new Scheduler(() => now);
  const burst = await drain(scheduler);
  assert.ok(burst > 10 && burst < 60, `${burst} at once`);
  assert.equal(await drain(scheduler), 0);
  now = 1000;
  assert.equal(await drain(scheduler), 8);
});

Deno.test("those who wait for a person go first, and an aborted request gives its place up", async () => {
  let now = 0;
  const scheduler = new Scheduler(() => now);
  await drain(scheduler);
  const order: string[] = [];
  const abort = new AbortController();
  const aborted = scheduler.slot("user", abort.signal);
  for (const priority of ["prefetch", "visible", "user"] as const) {
    void scheduler.slot(priority).then(() => order.push(priority));
  }
  abort.abort(new Error("gone"));
  await assert.rejects(aborted, /gone/);
  now = 1000;
  await until(() => order.length === 3, { what: "all three" });
  assert.deepEqual(order, ["user", "visible", "prefetch"]);
});

Deno.test("nothing goes during a pause", async () => {
  let now = 0;
  const scheduler = new Scheduler(() => now);
  scheduler.pause(5000);
  now = 4900;
  assert.equal(await drain(scheduler), 0);
  now = 6000;
  assert.ok(await drain(scheduler) > 0);
});

Deno.test("after a pause one request goes, and the rest no faster than the server had room for one", async () => {
  let now = 0;
  const scheduler = new Scheduler(() => now);
  scheduler.pause(4000);
  now = 4000;
  assert.equal(await drain(scheduler), 1);
  now = 7900;
  assert.equal(await drain(scheduler), 0);
  now = 8000;
  assert.equal(await drain(scheduler), 1);
});

Deno.test("many refusals at the same time lower the rate once, and it comes back", async () => {
  let now = 0;
  const scheduler = new Scheduler(() => now);
  await drain(scheduler);
  for (let refused = 0; refused < 20; refused++) scheduler.pause(100);
  now = 1100;
  assert.equal(await drain(scheduler), 7, "one, and six in a second");
  now = 120_000;
  await drain(scheduler);
  now += 1000;
  assert.equal(await drain(scheduler), 8);
});
