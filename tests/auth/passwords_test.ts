import assert from "node:assert/strict";
import { passwordFault } from "../../src/auth/password_policy.ts";
import { hashPassword, PasswordVerifier } from "../../src/auth/passwords.ts";

Deno.test("a hash is argon2id with the parameters of RFC 9106", async () => {
  assert.match(await hashPassword("correct horse"), /^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
});

Deno.test("the right password matches, others and unknown users do not", async () => {
  const verifier = await PasswordVerifier.create();
  const hash = await hashPassword("correct horse");
  assert.equal(await verifier.verify(hash, "correct horse"), true);
  assert.equal(await verifier.verify(hash, "correct horses"), false);
  assert.equal(await verifier.verify(null, "correct horse"), false);
});

Deno.test("hashing leaves the event loop free", async () => {
  const verifier = await PasswordVerifier.create();
  const work = Promise.all(Array.from({ length: 4 }, () => verifier.verify(null, "x")));
  let longest = 0;
  let last = performance.now();
  let running = true;
  const finished = work.then(() => running = false);
  while (running) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }
  await finished;
  // One check takes longer than this even on a fast machine; on the request thread it would show as one long gap.
  const started = performance.now();
  await verifier.verify(null, "x");
  const one = performance.now() - started;
  assert.ok(longest < one * 2, `the loop stood still for ${longest} ms; a check takes ${one} ms`);
});

Deno.test("a password's length is counted in characters, not in code units", () => {
  const policy = { minLength: 4, preventReuse: true };
  assert.equal(passwordFault(policy, "🐎🐎🐎🐎"), null);
  assert.match(passwordFault(policy, "🐎🐎") ?? "", /at least 4/);
  assert.match(passwordFault(policy, "x".repeat(1025)) ?? "", /at most 1024/);
});
