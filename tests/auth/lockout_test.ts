import assert from "node:assert/strict";
import { Lockout } from "../../src/auth/lockout.ts";
import { Database } from "../../src/store/database.ts";

function setUp() {
  const time = { now: 1_000_000 };
  const database = new Database(":memory:");
  const lockout = new Lockout(database, { maxAttempts: 3, window: 1000 }, () => time.now);
  return { time, database, lockout };
}

Deno.test("a name is locked after its last attempt, until the oldest failure leaves the window", () => {
  const { time, database, lockout } = setUp();
  for (let attempt = 0; attempt < 3; attempt++) {
    assert.equal(lockout.begin("ann"), 0);
    time.now += 100;
  }
  assert.equal(lockout.begin("ann"), 700);
  assert.equal(lockout.begin("ANN"), 700, "whatever its case");
  assert.equal(lockout.begin("bob"), 0);
  time.now += 700;
  assert.equal(lockout.begin("ann"), 0);
  database.close();
});

Deno.test("attempts while locked do not lengthen the lockout", () => {
  const { time, database, lockout } = setUp();
  for (let attempt = 0; attempt < 3; attempt++) lockout.begin("ann");
  time.now += 900;
  for (let attempt = 0; attempt < 10; attempt++) assert.equal(lockout.begin("ann"), 100);
  database.close();
});

Deno.test("a success forgets the failures", () => {
  const { database, lockout } = setUp();
  for (let attempt = 0; attempt < 3; attempt++) lockout.begin("ann");
  assert.notEqual(lockout.lockedFor("ann"), 0);
  lockout.clear("ann");
  assert.equal(lockout.lockedFor("ann"), 0);
  database.close();
});

Deno.test("names are not stored", () => {
  const { database, lockout } = setUp();
  lockout.begin("hunter2");
  const rows = JSON.stringify(database.all("SELECT hex(name_hash) AS hash FROM login_failures"));
  assert.ok(!rows.toLowerCase().includes("68756e74657232"));
  database.close();
});

Deno.test("the sweep removes failures that no longer count", () => {
  const { time, database, lockout } = setUp();
  lockout.begin("ann");
  time.now += 1001;
  lockout.sweep();
  assert.equal(database.all("SELECT 1 FROM login_failures").length, 0);
  database.close();
});
