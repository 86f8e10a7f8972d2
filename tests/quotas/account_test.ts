import assert from "node:assert/strict";
import fc from "fast-check";
import { BucketAccount } from "../../src/quotas/account.ts";
import { QuotaExceededError } from "../../src/quotas/problem.ts";
import { DeletionReservation, noObject, ObjectReservation } from "../../src/quotas/reservation.ts";
import { Database } from "../../src/store/database.ts";

const hardBytes = 100;
const keys = ["a", "b"];

/** Something under way: each call of `next` is one step of it. */
type Activity = Generator<void, void>;

const ends = ["commit", "release", "keep"] as const;

/** A bucket as its backend has it, its account, and what happens to both. */
class Simulation {
  readonly account: BucketAccount;
  readonly #objects = new Map<string, number>();
  #isCounting = false;

  constructor(database: Database) {
    this.account = new BucketAccount({ backend: "main", bucket: "bucket" }, database);
    this.account.limits = { softBytes: 0, hardBytes };
    this.account.beginCount()({ bytes: 0, objects: 0, at: 0 });
  }

  /** Bytes that the backend holds. */
  get storedBytes(): number {
    return [...this.#objects.values()].reduce((total, size) => total + size, 0);
  }

  get storedObjects(): number {
    return this.#objects.size;
  }

  *write(key: string, size: number, end: typeof ends[number]): Activity {
    let reservation: ObjectReservation;
    try {
      reservation = new ObjectReservation(this.#context(), key, size);
    } catch (error) {
      assert.ok(error instanceof QuotaExceededError);
      return;
    }
    yield;
    reservation.replaced = this.#find(key);
    yield;
    if (end !== "release") this.#objects.set(key, size);
    yield;
    reservation[end]();
  }

  *remove(key: string): Activity {
    const deletion = new DeletionReservation(this.#context(), [key]);
    yield;
    deletion.setObject(key, this.#find(key));
    yield;
    this.#objects.delete(key);
    yield;
    deletion.end([key]);
  }

  /** Lists the bucket key by key, unless that is under way already. */
  *count(): Activity {
    if (this.#isCounting) return;
    this.#isCounting = true;
    const end = this.account.beginCount();
    let bytes = 0;
    let objects = 0;
    for (const key of keys) {
      yield;
      bytes += this.#objects.get(key) ?? 0;
      objects += Number(this.#objects.has(key));
    }
    yield;
    end({ bytes, objects, at: 0 });
    this.#isCounting = false;
  }

  #find(key: string) {
    const bytes = this.#objects.get(key);
    return bytes === undefined ? noObject : { bytes, objects: 1 };
  }

  #context() {
    return { account: this.account, onChange() {} };
  }
}

Deno.test("whatever happens in whatever order, a bucket never holds more than is counted and allowed", () => {
  const database = new Database(":memory:");
  const end = fc.oneof({ weight: 4, arbitrary: fc.constant(ends[0]) }, fc.constantFrom(...ends));
  const activity = fc.record({
    kind: fc.constantFrom("write", "write", "write", "remove", "count"),
    key: fc.constantFrom(...keys),
    size: fc.nat(60),
    end,
  });
  const activities = fc.array(activity, { minLength: 1, maxLength: 12, size: "max" });
  // Each number takes one step of that activity of those under way, or begins a new one.
  const steps = fc.array(fc.nat(5), { maxLength: 60, size: "max" });
  fc.assert(
    fc.property(activities, steps, (activities, order) => {
      const planned = [...activities];
      const simulation = new Simulation(database);
      const { account } = simulation;
      const begin = ({ kind, key, size, end }: typeof activities[number]) =>
        kind === "write"
          ? simulation.write(key, size, end)
          : kind === "remove"
          ? simulation.remove(key)
          : simulation.count();
      const running: Activity[] = [];
      const advance = (index: number) => {
        if (running[index].next().done) running.splice(index, 1);
        assert.ok(simulation.storedBytes <= hardBytes, `${simulation.storedBytes} bytes stored`);
      };
      for (const step of order) {
        const next = step >= running.length ? planned.shift() : undefined;
        if (next !== undefined) running.push(begin(next));
        if (running.length > 0) advance(step % running.length);
      }
      while (running.length > 0) advance(0);
      assert.ok(simulation.storedBytes <= account.usedBytes, `only ${account.usedBytes} bytes counted`);
      assert.ok(account.isIdle);

      const last = simulation.count();
      while (!last.next().done);
      assert.equal(account.usage?.bytes, simulation.storedBytes);
      assert.equal(account.usage?.objects, simulation.storedObjects);
    }),
    { numRuns: 3000 },
  );
  database.close();
});

Deno.test("one write after the other is known exactly", () => {
  const database = new Database(":memory:");
  const simulation = new Simulation(database);
  const run = (activity: Activity) => {
    while (!activity.next().done);
    assert.equal(simulation.account.usedBytes, simulation.storedBytes);
    assert.equal(simulation.account.usage?.objects, simulation.storedObjects);
  };
  run(simulation.write("a", 60, "commit"));
  run(simulation.write("b", 50, "commit"));
  assert.equal(simulation.storedObjects, 1);
  run(simulation.write("a", 10, "commit"));
  run(simulation.write("b", 90, "release"));
  run(simulation.write("b", 90, "commit"));
  run(simulation.count());
  run(simulation.remove("a"));
  run(simulation.remove("a"));
  assert.equal(simulation.storedBytes, 90);
  database.close();
});
