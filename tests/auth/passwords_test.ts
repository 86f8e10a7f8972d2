import assert from "node:assert/strict";
import { passwordFault } from "../../src/auth/password_policy.ts";
import { hashPassword, PasswordHasher } from "../../src/auth/passwords.ts";
import { tryUntil } from "../support/poll.ts";

Deno.test("a hash is argon2id with the parameters of RFC 9106", async () => {
  assert.match(await hashPassword("correct horse"), /^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
});

Deno.test("the right password matches, others and unknown users do not", async () => {
  const hasher = new PasswordHasher();
  const hash = await hashPassword("correct horse");
  assert.equal(await hasher.verify(hash, "correct horse"), true);
  assert.equal(await hasher.verify(hash, "correct horses"), false);
  assert.equal(await hasher.verify(null, "correct horse"), false);
});

Deno.test("hashing leaves the event loop free", async () => {
  const hasher = new PasswordHasher();
  const work = Promise.all(Array.from({ length: 4 }, () => hasher.verify(null, "x")));
  let turns = 0;
  let running = true;
  const finished = work.then(() => running = false);
  while (running) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    turns++;
  }
  await finished;
  // On the request thread there would be one turn after each check. Turns are counted, for times depend on the machine.
  assert.ok(turns > 12, `the loop turned ${turns} times`);
});

Deno.test("a password's length is counted in characters, not in code units", () => {
  const policy = { minLength: 4, preventReuse: true };
  assert.equal(passwordFault(policy, "🐎🐎🐎🐎"), null);
  assert.match(passwordFault(policy, "🐎🐎") ?? "", /at least 4/);
  assert.match(passwordFault(policy, "x".repeat(1025)) ?? "", /at most 1024/);
});

Deno.test("a wave of passwords is worked off two at a time", async () => {
  const hasher = new PasswordHasher();
  const wave = async () => {
    const finished: number[] = [];
    const started = performance.now();
    await Promise.all(
      Array.from(
        { length: 8 },
        () => hasher.hash("x").then(() => finished.push(performance.now() - started)),
      ),
    );
    return finished;
  };
  const isStaggered = (finished: readonly number[]) => finished[0] < finished[7] / 2;
  // All at once they would share the cores and end together; two at a time the first is long done when the last begins.
  const finished = await tryUntil(5, wave, isStaggered);
  assert.ok(isStaggered(finished), String(finished));
});
