import assert from "node:assert/strict";
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { Counter } from "../../src/metrics/counter.ts";
import { exposition } from "../../src/metrics/exposition.ts";
import { Histogram } from "../../src/metrics/histogram.ts";
import { MetricsRegistry } from "../../src/metrics/registry.ts";
import { S3RequestMetrics } from "../../src/metrics/s3_requests.ts";
import { type Endpoint, withEndpoint } from "../support/endpoint.ts";
import { status } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";
import { until } from "../support/poll.ts";
import { refusalOf, s3Client } from "../support/s3_client.ts";
import { parseExposition } from "./exposition.ts";
import { type Scrape, scrape, sum } from "./scrape.ts";

function clientOf({ url, region, accessKey, secretKey }: Endpoint) {
  return s3Client({ endpoint: url, region, accessKey, secretKey });
}

Deno.test("requests to the dashboard are counted by method, status class and backend", async () => {
  await withProgram({}, async (program) => {
    const client = await program.signedIn();
    const stranger = program.client();
    assert.equal(await status(client.get("/api/me")), 200);
    assert.equal(await status(stranger.get("/api/me")), 401);
    assert.equal(await status(client.get("/api/backends/made-up/buckets")), 404);
    assert.equal(await status(stranger.request("BREW", "/api/me")), 405);
    const metrics = await until(async () => {
      const now = await scrape(program);
      return sum(now, "service_requests_total", { method: "other" }) === 1 && now;
    }, { what: "the requests to be counted" });
    assert.equal(sum(metrics, "service_requests_total", { method: "other", status_class: "4xx" }), 1);
    assert.ok(sum(metrics, "service_requests_total", { method: "GET", status_class: "2xx" }) >= 1);
    assert.equal(sum(metrics, "service_requests_total", { method: "GET", status_class: "4xx" }), 2);
    assert.equal(sum(metrics, "service_requests_total", { backend: "made-up" }), 0);
    assert.ok(sum(metrics, "service_request_duration_seconds_count", { method: "GET" }) >= 3);
    assert.equal(sum(metrics, "service_sessions_active"), 1);
    assert.ok(sum(metrics, "service_sqlite_db_bytes") > 4096);
    for (const name of ["service_audit_queue_depth", "service_audit_rows_lost_total"]) {
      assert.equal(sum(metrics, name), 0);
      assert.ok(metrics.has(name));
    }
    assert.ok(sum(metrics, "process_resident_memory_bytes") > 10_000_000);
    assert.ok(sum(metrics, "process_cpu_seconds_total") > 0);
    const startedAt = sum(metrics, "process_start_time_seconds") * 1000;
    assert.ok(Math.abs(Date.now() - startedAt) < 120_000);
  });
});

Deno.test("requests to the S3 endpoint are counted by what became of them", async () => {
  await withEndpoint("embedded", {}, async (endpoint) => {
    const { program, url } = endpoint;
    using s3 = clientOf(endpoint);
    const object = { Bucket: "bucket", Key: "some/key" };
    await s3.send(new PutObjectCommand({ ...object, Body: "a".repeat(1000) }));
    for (let count = 0; count < 3; count++) {
      await (await s3.send(new GetObjectCommand(object))).Body?.transformToByteArray();
    }
    await s3.send(new ListBucketsCommand({}));
    await refusalOf(s3.send(new HeadObjectCommand({ ...object, Key: "missing" })));
    await refusalOf(s3.send(new GetObjectCommand({ ...object, Bucket: "elsewhere" })));
    using stranger = clientOf({ ...endpoint, secretKey: "wrong" });
    await refusalOf(stranger.send(new GetObjectCommand(object)));
    assert.equal(await status(fetch(`${url}/bucket/some/key`)), 403);

    const metrics = await until(async () => {
      const now = await scrape(program);
      return sum(now, "service_s3_request_total") === 9 && now;
    }, { what: "the requests to be counted" });
    const requests = (labels: Record<string, string>) => sum(metrics, "service_s3_request_total", labels);
    const reads = { operation: "GetObject", status: "200", result: "ok", auth_mode: "signed" };
    assert.equal(requests(reads), 3);
    assert.equal(requests({ operation: "PutObject", result: "ok" }), 1);
    assert.equal(requests({ operation: "ListBuckets", result: "ok" }), 1);
    assert.equal(requests({ operation: "HeadObject", status: "404" }), 1);
    assert.equal(requests({ result: "scope_violation", status: "403" }), 1);
    assert.equal(requests({ result: "auth_failure", status: "403" }), 2);
    assert.equal(sum(metrics, "service_s3_scope_violation_total"), 1);
    assert.equal(sum(metrics, "service_s3_auth_failure_total"), 2);
    assert.equal(sum(metrics, "service_s3_auth_failure_total", { reason: "bad_signature" }), 1);
    assert.equal(sum(metrics, "service_s3_auth_failure_total", { reason: "missing" }), 1);
    assert.ok(sum(metrics, "service_s3_bytes_out_total", { operation: "GetObject" }) >= 3000);
    assert.ok(sum(metrics, "service_s3_bytes_in_total", { operation: "PutObject" }) >= 1000);
    assert.equal(sum(metrics, "service_s3_request_duration_seconds_count", { operation: "GetObject" }), 6);
    assert.equal(sum(metrics, "service_s3_upstream_duration_seconds_count", { operation: "GetObject" }), 3);
    assert.equal(sum(metrics, "service_s3_upstream_duration_seconds_count", { operation: "ListBuckets" }), 0);
    assert.equal(sum(metrics, "service_s3_inflight_requests"), 0);
    assert.equal(sum(metrics, "service_s3_credential_cache_size"), 1);
  });
});

Deno.test("what clients make up is in no label, and adds no samples", async () => {
  await withEndpoint("embedded", {}, async ({ program, url }) => {
    const attempt = async (text: string) => {
      await status(fetch(`${url}/${text}/${text}?${text}=${text}`, { headers: { "x-amz-meta-name": text } }));
      await status(program.client().get(`/api/backends/${text}/buckets/${text}`));
      await status(program.client().request(text.toUpperCase(), `/${text}`));
    };
    const settled = (requests: number) =>
      until(async () => {
        const metrics = await scrape(program);
        const seen = sum(metrics, "service_s3_request_total") +
          sum(metrics, "service_requests_total", { method: "other" });
        // A scrape is a request too, counted after it was answered.
        const hasScrape = sum(metrics, "service_requests_total", { method: "GET", status_class: "2xx" }) > 0;
        // The backend's first probe adds samples of its own whenever it ends.
        const isProbed = (metrics.get("service_backend_up")?.samples.length ?? 0) > 0;
        return seen === requests && hasScrape && isProbed && metrics;
      }, { what: "the requests and a probe to be counted" });
    const countSamples = (metrics: Scrape) =>
      [...metrics.values()].reduce((total, { samples }) => total + samples.length, 0);
    await attempt("invented");
    const before = countSamples(await settled(2));
    for (let count = 0; count < 20; count++) await attempt(`invented${count}`);
    const metrics = await settled(42);
    assert.equal(countSamples(metrics), before);
    const labels = JSON.stringify([...metrics.values()].map(({ samples }) => samples));
    assert.ok(!/invented/i.test(labels), labels);
  });
});

Deno.test("counters and histograms are written as the format wants them", () => {
  const counter = new Counter("a_total", "Back\\slash and\nline feed.", ["label"]);
  counter.add(2, 'quote " back\\slash \n');
  counter.add(0.5, 'quote " back\\slash \n');
  counter.add(1, "");
  assert.equal(
    exposition(counter),
    "# HELP a_total Back\\\\slash and\\nline feed.\n# TYPE a_total counter\n" +
      'a_total{label="quote \\" back\\\\slash \\n"} 2.5\na_total{label=""} 1\n',
  );
  assert.match(exposition(new Counter("b_total", "Nothing yet.")), /^b_total 0$/m);

  const histogram = new Histogram({ name: "c", help: "Sizes.", label: "kind", bounds: [1, 10] });
  for (const value of [0.5, 1, 1.5, 10, 11]) histogram.observe(value, "x");
  const lines = exposition(histogram).split("\n").slice(2, -1);
  assert.deepEqual(lines, [
    'c_bucket{kind="x",le="1"} 2',
    'c_bucket{kind="x",le="10"} 4',
    'c_bucket{kind="x",le="+Inf"} 5',
    'c_sum{kind="x"} 24',
    'c_count{kind="x"} 5',
  ]);
  assert.throws(() => new MetricsRegistry().add(counter, counter), /two metrics are called a_total/);
});

Deno.test("refusals of anonymous requests are counted by reason, limits among them", () => {
  const requests = new S3RequestMetrics();
  const registry = new MetricsRegistry();
  registry.add(...requests.metrics);
  const refuse = (result: string, authMode: string, reason?: string) =>
    requests.observe({
      operation: "GetObject",
      status: 403,
      result,
      authMode,
      reason,
      durationMs: 1,
      bytesIn: 0,
      bytesOut: 0,
    });
  requests.started();
  refuse("anonymous_denied", "anonymous", "no_binding");
  refuse("anonymous_denied", "anonymous");
  refuse("rate_limited", "anonymous");
  refuse("rate_limited", "signed");
  const metrics = parseExposition(registry.text());
  const rejects = (reason: string) => sum(metrics, "service_s3_anonymous_reject_total", { reason });
  assert.deepEqual(["no_binding", "other", "rate_limited"].map(rejects), [1, 1, 1]);
  assert.equal(sum(metrics, "service_s3_request_total", { result: "rate_limited" }), 2);
  assert.equal(sum(metrics, "service_s3_inflight_requests"), 1);
  requests.ended();
  assert.equal(sum(parseExposition(registry.text()), "service_s3_inflight_requests"), 0);
});
