import assert from "node:assert/strict";
import { backendIdOf } from "../../static/lib/admin/backend_id.js";

Deno.test("a backend's name makes an id that the API takes", () => {
  for (
    const [name, id] of [
      ["Amazon S3", "amazon-s3"],
      ["  Büro, Köln 2! ", "buro-koln-2"],
      ["東京", ""],
      ["-- a --", "a"],
      [`${"x".repeat(62)} y`, "x".repeat(62)],
    ]
  ) {
    assert.equal(backendIdOf(name), id);
    if (id !== "") assert.match(id, /^[a-z0-9][a-z0-9-]{0,62}$/);
  }
});
