import assert from "node:assert/strict";
import { isRecorded } from "../../src/proxy/sampling.ts";

const low = () => 0;
const high = () => 0.999;

Deno.test("reads that succeeded are recorded at the rate", () => {
  for (const method of ["GET", "HEAD"]) {
    for (const status of [200, 204, 206, 304]) {
      assert.equal(isRecorded(method, status, 0, low), false);
      assert.equal(isRecorded(method, status, 0.5, low), true);
      assert.equal(isRecorded(method, status, 0.5, high), false);
      assert.equal(isRecorded(method, status, 1, high), true);
    }
  }
});

Deno.test("writes and refusals are always recorded", () => {
  for (const method of ["PUT", "POST", "DELETE", "OPTIONS"]) {
    for (const status of [200, 204, 403]) assert.equal(isRecorded(method, status, 0, high), true);
  }
  for (const status of [0, 400, 403, 404, 412, 416, 500, 503, 507]) {
    assert.equal(isRecorded("GET", status, 0, high), true);
    assert.equal(isRecorded("HEAD", status, 0, high), true);
  }
});
