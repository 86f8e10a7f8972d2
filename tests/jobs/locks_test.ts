import assert from "node:assert/strict";
import type { JobLock } from "../../src/jobs/job.ts";
import { collide } from "../../src/jobs/locks.ts";
import { tryUntil } from "../support/poll.ts";

/** The rule as it is said: in one bucket, one prefix within the other, and not both only for reading. */
function collidesByRule(first: readonly JobLock[], second: readonly JobLock[]): boolean {
  return first.some((one) =>
    second.some((other) =>
      one.backend === other.backend && one.bucket === other.bucket &&
      (one.mode === "write" || other.mode === "write") &&
      (one.prefix.startsWith(other.prefix) || other.prefix.startsWith(one.prefix))
    )
  );
}

Deno.test("locks collide by the rule, whichever there are", () => {
  // A generator of its own, so that each run sees the same locks: https://en.wikipedia.org/wiki/Linear_congruential_generator
  let seed = 7;
  const below = (limit: number) => (seed = (seed * 48271) % 2147483647) % limit;
  const prefixes = [
    "",
    "a",
    "a/",
    "a/b",
    "a/b/",
    "a0",
    "a/b/c",
    "b",
    "b/\0",
    "b/",
    "ä",
    "\u{1f600}/",
    "\uffff",
  ];
  const some = (): JobLock[] =>
    Array.from({ length: below(4) }, () => ({
      backend: "one",
      bucket: below(4) === 0 ? "other" : "files",
      prefix: prefixes[below(prefixes.length)],
      mode: below(3) === 0 ? "write" : "read",
    }));
  const found = { true: 0, false: 0 };
  for (let round = 0; round < 20_000; round++) {
    const [first, second] = [some(), some()];
    const expected = collidesByRule(first, second);
    assert.equal(collide(first, second), expected, JSON.stringify([first, second]));
    found[`${expected}`]++;
  }
  assert.ok(found.true > 1000 && found.false > 1000);
});

Deno.test("a user's jobs with thousands of locks each hold up nobody", async () => {
  const locks = (job: number): JobLock[] =>
    Array.from({ length: 2000 }, (_, index) => ({
      backend: "one",
      bucket: "files",
      prefix: `${"folder/".repeat(50)}${job}/${index}`,
      mode: "write",
    }));
  const open = Array.from({ length: 20 }, (_, job) => locks(job));
  const attempt = () => {
    const begun = performance.now();
    for (const others of open) assert.equal(collide(others, locks(1000)), false);
    return Promise.resolve(performance.now() - begun);
  };
  // Each with each would be 80 million comparisons.
  assert.ok(await tryUntil(5, attempt, (time) => time < 2000) < 2000);
});
