import assert from "node:assert/strict";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { CallbackSeries } from "../../src/metrics/callback_series.ts";
import { EventLoopLag } from "../../src/metrics/event_loop_lag.ts";
import { exposition } from "../../src/metrics/exposition.ts";
import { LoginMetrics } from "../../src/metrics/logins.ts";
import { ShareMetrics } from "../../src/metrics/shares.ts";
import { withEndpoint } from "../support/endpoint.ts";
import { json, status } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { testPassword } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { scrape, sum } from "./scrape.ts";

const bucket = "/api/backends/main/buckets/bucket";

Deno.test("counts are exact while both listeners are under load, and the dashboard tells the same", async () => {
  await withEndpoint("embedded", { config: { ratelimit: { api_per_minute: 0 } } }, async (endpoint) => {
    const { client, program } = endpoint;
    using s3 = s3Client({ ...endpoint, endpoint: endpoint.url });
    const object = { Bucket: "bucket", Key: "key" };
    await s3.send(new PutObjectCommand({ ...object, Body: "a".repeat(1000) }));
    const inTurns = async (turns: number, work: () => Promise<unknown>) => {
      for (let turn = 0; turn < turns; turn++) await work();
    };
    const read = async () => await (await s3.send(new GetObjectCommand(object))).Body?.transformToByteArray();
    const list = () => status(client.get(`${bucket}/objects`));
    const missing = () => status(client.get("/api/jobs/missing"));
    const workers = Array.from(
      { length: 8 },
      () => [inTurns(20, read), inTurns(10, list), inTurns(5, missing)],
    );
    await Promise.all(workers.flat());

    const metrics = await until(async () => {
      const now = await scrape(program);
      return sum(now, "service_s3_request_total") === 161 &&
        sum(now, "service_requests_total", { status_class: "4xx" }) === 40 && now;
    }, { what: "the requests to be counted" });
    assert.equal(
      sum(metrics, "service_s3_request_total", { operation: "GetObject", status: "200", result: "ok" }),
      160,
    );
    assert.equal(sum(metrics, "service_s3_bytes_out_total", { operation: "GetObject" }), 160_000);
    assert.equal(sum(metrics, "service_s3_request_duration_seconds_count"), 161);
    assert.equal(sum(metrics, "service_s3_inflight_requests"), 0);
    assert.equal(
      sum(metrics, "service_requests_total", { method: "GET", backend: "main", status_class: "2xx" }),
      80,
    );
    const { traffic, top_buckets: top } = await json(client.get("/api/admin/dashboard"));
    assert.equal(traffic.s3.requests, 161);
    assert.equal(traffic.s3.bytes_out, sum(metrics, "service_s3_bytes_out_total"));
    assert.equal(traffic.s3.bytes_in, sum(metrics, "service_s3_bytes_in_total"));
    assert.equal(traffic.dashboard.client_errors, 40);
    assert.deepEqual(top.by_requests, [{ backend_id: "main", bucket: "bucket", requests: 241 }]);
  });
});

Deno.test("sign-ins, shares, jobs, backends and what they hold are counted", async () => {
  await withEndpoint("embedded", {}, async ({ client, program }) => {
    const signIn = (password: string) =>
      status(program.client().post("/auth/login/local", { json: { username: "admin", password } }));
    assert.deepEqual([await signIn(testPassword), await signIn("wrong"), await signIn("wrong")], [
      200,
      401,
      401,
    ]);
    const form = new URLSearchParams({ username: "admin", password: "wrong" });
    assert.equal(await status(program.client().post("/auth/login/local", { body: form })), 303);
    assert.equal(await status(program.client().get("/s/0000000000000000000000/info")), 404);
    const upload = { body: "12345", headers: { "content-type": "text/plain" } };
    await json(client.post(`${bucket}/object?key=folder/key`, upload), 201);
    await json(client.put(`${bucket}/quota`, { json: { soft_bytes: 0, hard_bytes: 1000 } }));
    await json(client.post(`${bucket}/quota/recompute`));
    await json(client.post(`${bucket}/objects/measure`, { json: { prefix: "folder/" } }));

    const logins = (outcome: string) => ({ mode: "password", outcome });
    const metrics = await until(async () => {
      const now = await scrape(program);
      return sum(now, "service_jobs_ended_total", { state: "done" }) === 1 &&
        sum(now, "service_login_attempts_total", logins("invalid_credentials")) === 3 &&
        sum(now, "service_backend_up", { backend: "main" }) === 1 && now;
    }, { what: "the job to be done and everything to be counted" });
    assert.equal(sum(metrics, "service_login_attempts_total", logins("ok")), 2);
    assert.equal(sum(metrics, "service_share_requests_total", { result: "not_found" }), 1);
    assert.equal(sum(metrics, "service_jobs"), 0);
    assert.equal(sum(metrics, "service_backend_stored_bytes", { backend: "main" }), 5);
    assert.equal(sum(metrics, "service_backend_stored_objects", { backend: "main" }), 1);
    assert.ok(sum(metrics, "service_backend_probe_duration_seconds", { backend: "main" }) < 6);
    assert.ok(sum(metrics, "process_open_fds") < sum(metrics, "process_max_fds"));
    assert.ok(sum(metrics, "process_virtual_memory_bytes") > sum(metrics, "process_resident_memory_bytes"));
  });
});

Deno.test("texts that come from elsewhere are no labels", () => {
  const logins = new LoginMetrics();
  logins.observe("oidc", "access_denied?evil=1");
  logins.observe("oidc", "anything");
  logins.observe("oidc", "oidc_failed");
  const [attempts] = logins.metrics.map(exposition);
  assert.match(attempts, /\{mode="oidc",outcome="other"\} 2\n/);
  assert.match(attempts, /\{mode="oidc",outcome="oidc_failed"\} 1\n/);
  const shares = new ShareMetrics();
  for (const result of ["ok", "exhausted", "made up", ""]) shares.observe(result);
  const [requests] = shares.metrics.map(exposition);
  assert.deepEqual(requests.split("\n").slice(2, -1), [
    'service_share_requests_total{result="ok"} 1',
    'service_share_requests_total{result="exhausted"} 1',
    'service_share_requests_total{result="error"} 2',
  ]);
  const series = new CallbackSeries({ name: "a", help: "A.", label: "b", read: () => [['q"', 1], ["", 2]] });
  assert.equal(exposition(series), '# HELP a A.\n# TYPE a gauge\na{b="q\\""} 1\na{b=""} 2\n');
});

Deno.test("the event loop's lag is how late a timer is", async () => {
  let now = 0;
  // Each look at the clock is 700 ms after the last one, while timers are 500 ms apart.
  const lag = new EventLoopLag(() => now += 700);
  const text = () => lag.metrics.map(exposition).join("");
  assert.match(text(), /^nodejs_eventloop_lag_seconds 0$/m);
  lag.start();
  try {
    await until(() => /^nodejs_eventloop_lag_seconds 0\.2$/m.test(text()), { what: "a measurement" });
    assert.match(text(), /^nodejs_eventloop_lag_max_seconds 0\.2$/m);
  } finally {
    lag.stop();
  }
});
