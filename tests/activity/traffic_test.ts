import assert from "node:assert/strict";
import fc from "fast-check";
import { BucketRequests } from "../../src/activity/bucket_requests.ts";
import { type Failure, RecentFailures } from "../../src/activity/failures.ts";
import { latencyBucket, latencyBuckets, percentiles } from "../../src/activity/latencies.ts";
import { Traffic } from "../../src/activity/traffic.ts";

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse("2026-03-01T10:00:00Z");
const lastHour = { minutes: 60, stepMinutes: 1 };
const lastDay = { minutes: 1440, stepMinutes: 10 };

function answer(durationMs: number, status = 200, bytesIn = 0, bytesOut = 0) {
  const isServerError = status >= 500;
  return { isClientError: status >= 400 && !isServerError, isServerError, durationMs, bytesIn, bytesOut };
}

function countLatencies(latencies: readonly number[]): Uint32Array {
  const counts = new Uint32Array(latencyBuckets);
  for (const latency of latencies) counts[latencyBucket(latency)]++;
  return counts;
}

Deno.test("percentiles are those of the sorted latencies, an eighth off at most", () => {
  fc.assert(fc.property(fc.array(fc.nat(130_000), { minLength: 1, maxLength: 300 }), (latencies) => {
    const sorted = latencies.toSorted((a, b) => a - b);
    const found = percentiles(countLatencies(latencies));
    assert.ok(found !== undefined);
    for (const [share, value] of [[0.5, found.p50], [0.95, found.p95], [0.99, found.p99]]) {
      const expected = sorted[Math.ceil(sorted.length * share) - 1];
      assert.ok(Math.abs(value - expected) <= expected / 8, `${value} in place of ${expected}`);
    }
  }));
});

Deno.test("a latency of any size has a bucket, a larger one never a lower bucket", () => {
  assert.equal(percentiles(new Uint32Array(latencyBuckets)), undefined);
  assert.deepEqual(percentiles(countLatencies([0])), { p50: 0, p95: 0, p99: 0 });
  let before = 0;
  for (let latency = 0; latency < 2 ** 18; latency += latency < 5000 ? 1 : 97) {
    const bucket = latencyBucket(latency);
    assert.ok(bucket === before || bucket === before + 1, String(latency));
    before = bucket;
  }
  assert.equal(before, latencyBuckets - 1);
  for (const odd of [-5, 2.5, 1e12, Infinity]) assert.ok(latencyBucket(odd) < latencyBuckets);
});

Deno.test("requests count in the minute they were answered in, and no longer than a day", () => {
  const traffic = new Traffic();
  traffic.observe(answer(10, 200, 5, 7), start);
  traffic.observe(answer(20, 404, 1, 2), start + minute - 1);
  traffic.observe(answer(1000, 503), start + minute);
  const now = start + 2 * minute;
  const points = traffic.points(now, lastHour);
  assert.equal(points.length, 60);
  assert.deepEqual(points.slice(-3).map(({ requests }) => requests), [2, 1, 0]);
  const { at, latency, ...first } = points[57];
  assert.equal(at, start);
  assert.deepEqual(first, { requests: 2, clientErrors: 1, serverErrors: 0, bytesIn: 6, bytesOut: 9 });
  assert.ok(latency !== undefined && latency.p50 >= 9 && latency.p99 <= 22);
  assert.equal(points[59].latency, undefined);
  assert.equal(traffic.totals(now, lastHour).requests, 3);
  assert.equal(traffic.totals(start + hour, lastHour).requests, 1);
  assert.equal(traffic.totals(start + 61 * minute, lastHour).requests, 0);
  assert.equal(traffic.totals(start + 23 * hour, lastDay).requests, 3);
  assert.equal(traffic.totals(start + 24 * hour + minute, lastDay).requests, 0);
  assert.equal(traffic.totals(start + 40 * 24 * hour, lastDay).requests, 0);
});

Deno.test("the steps of a day begin at whole ten minutes, and yesterday's are not in the last one", () => {
  const traffic = new Traffic();
  for (let at = start; at < start + 25 * hour; at += minute) traffic.observe(answer(1), at);
  const now = start + 25 * hour - minute;
  const points = traffic.points(now, lastDay);
  assert.equal(points.length, 144);
  assert.ok(points.every(({ at }) => at % (10 * minute) === 0));
  assert.ok(points.every(({ requests }) => requests === 10));
  const later = traffic.points(now + 4 * minute, lastDay);
  assert.deepEqual(later.slice(-2).map(({ requests }) => requests), [10, 0]);
  assert.equal(traffic.totals(now + 4 * minute, lastDay).requests, 1430);
});

Deno.test("a clock that is set back loses nothing", () => {
  const traffic = new Traffic();
  traffic.observe(answer(1), start);
  traffic.observe(answer(1), start - 5 * hour);
  assert.equal(traffic.totals(start - 5 * hour, lastHour).requests, 2);
});

Deno.test("the busiest buckets of the last day come first, and only so many are counted", () => {
  const buckets = new BucketRequests(3);
  const count = (bucket: string, requests: number, at: number) => {
    for (let done = 0; done < requests; done++) buckets.observe("main", bucket, at);
  };
  const names = (at: number) => buckets.top(2, at).map(({ bucket, requests }) => `${bucket} ${requests}`);
  count("some", 2, start);
  count("most", 3, start);
  count("few", 1, start);
  count("one-too-many", 9, start);
  assert.deepEqual(names(start), ["most 3", "some 2"]);
  count("some", 2, start + 23 * hour);
  assert.deepEqual(names(start + 23 * hour), ["some 4", "most 3"]);
  assert.deepEqual(names(start + 24 * hour), ["some 2"]);
  count("one-too-many", 9, start + 24 * hour);
  assert.deepEqual(names(start + 24 * hour), ["one-too-many 9", "some 2"]);
  assert.deepEqual(names(start + 24 * 24 * hour), []);
});

Deno.test("room is made for new buckets without anybody looking", () => {
  const buckets = new BucketRequests(2);
  buckets.observe("main", "a", start);
  buckets.observe("main", "b", start);
  buckets.observe("main", "c", start + 25 * hour);
  assert.deepEqual(buckets.top(9, start + 25 * hour).map(({ bucket }) => bucket), ["c"]);
});

Deno.test("refusals do not push faults out, and texts of clients are cut", () => {
  const failures = new RecentFailures();
  const failure: Failure = {
    at: start,
    listener: "s3",
    requestId: "id",
    operation: "GetObject",
    status: 502,
    code: "upstream_error",
    backend: "main",
    bucket: "b".repeat(5000),
    userId: "",
    accessKey: "k".repeat(5000),
    isAudited: true,
  };
  failures.add(failure, true);
  for (let count = 1; count <= 200; count++) {
    failures.add({ ...failure, at: start + count, status: 403, code: "auth_failure" }, false);
  }
  const list = failures.list();
  assert.equal(list.length, 51);
  assert.deepEqual([list[0].at, list[49].at], [start + 200, start + 151]);
  assert.equal(list[50].status, 502);
  assert.ok(list[50].bucket.length <= 128 && list[50].accessKey.length <= 128);
});
