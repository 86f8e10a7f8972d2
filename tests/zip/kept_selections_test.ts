import assert from "node:assert/strict";
import { Problem } from "../../src/problem.ts";
import { KeptSelections } from "../../src/zip/kept_selections.ts";

const place = { backend: "one", bucket: "files" };
const selection = { keys: ["a"], prefixes: [], folder: "" };

Deno.test("kept selections: one user's take no room from those of others, and nobody else gets them", () => {
  let now = 0;
  const kept = new KeptSelections(() => now);
  const keep = (userId: string) => kept.keep({ userId, ...place, selection }).id;
  const isKept = (userId: string, id: string, elsewhere: Partial<typeof place> = {}) => {
    try {
      return kept.get(id, { userId, ...place, ...elsewhere }).selection === selection;
    } catch (error) {
      assert.ok(error instanceof Problem);
      assert.equal(error.code, "not_found");
      return false;
    }
  };
  const mine = keep("maria");
  const theirs = Array.from({ length: 500 }, () => keep("mallory"));
  assert.ok(isKept("maria", mine), "another user keeps as many as they like");
  assert.deepEqual(theirs.filter((id) => isKept("mallory", id)), theirs.slice(-8));

  // Many users together fill it: those go first who keep most.
  for (let user = 0; user < 200; user++) keep(`user-${user}`);
  assert.ok(theirs.filter((id) => isKept("mallory", id)).length <= 1);

  const last = keep("maria");
  assert.equal(isKept("mallory", last), false);
  assert.equal(isKept("maria", last, { bucket: "other" }), false);
  assert.equal(isKept("maria", last, { backend: "other" }), false);
  now += 10 * 60_000 + 1;
  assert.equal(isKept("maria", last), false, "its time is over");
});
