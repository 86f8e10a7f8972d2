import assert from "node:assert/strict";
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { type Endpoint, withEndpoint } from "../support/endpoint.ts";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { cutAfterBytes, type FaultProxy, startFaultProxy } from "../support/fault_proxy.ts";
import { type Program, testPassword, withProgram } from "../support/program.ts";
import { refusalOf, s3Client } from "../support/s3_client.ts";
import { withUpstream } from "../support/upstreams.ts";

const path = "/api/admin/dashboard";
const bucketPath = "/api/backends/main/buckets/bucket";

// deno-lint-ignore no-explicit-any
function dashboardWhen(client: Client, isReached: (dashboard: any) => boolean, what: string) {
  return until(async () => {
    const dashboard = await json(client.get(path));
    return isReached(dashboard) && dashboard;
  }, { what });
}

async function useEndpoint(endpoint: Endpoint): Promise<void> {
  using s3 = s3Client({ ...endpoint, endpoint: endpoint.url });
  const object = { Bucket: "bucket", Key: "secret-key-name" };
  await s3.send(new PutObjectCommand({ ...object, Body: "a".repeat(1000) }));
  for (let count = 0; count < 3; count++) {
    await (await s3.send(new GetObjectCommand(object))).Body?.transformToByteArray();
  }
  await refusalOf(s3.send(new HeadObjectCommand({ ...object, Key: "missing" })));
  await refusalOf(s3.send(new GetObjectCommand({ ...object, Bucket: "elsewhere" })));
  assert.equal(await status(fetch(`${endpoint.url}/bucket/secret-key-name`)), 403);
}

Deno.test("administrators see the traffic of both listeners, what failed, and how things stand", async () => {
  await withEndpoint("embedded", {}, async (endpoint) => {
    const { client } = endpoint;
    const before = await json(client.get(path));
    assert.equal(before.traffic.s3.requests, 0);
    assert.equal(before.traffic.s3.latency_ms, undefined);
    assert.deepEqual(before.top_buckets, { by_size: [], by_requests: [] });
    await useEndpoint(endpoint);
    assert.equal(await refusal(client.get("/api/backends/made-up/buckets/bucket/objects")), "404 not_found");
    assert.equal(
      await refusal(client.put(`${bucketPath}/quota`, { json: { soft_bytes: -1 } })),
      "400 invalid_quota",
    );
    await json(client.put(`${bucketPath}/quota`, { json: { soft_bytes: 0, hard_bytes: 1_000_000 } }));
    await json(client.post(`${bucketPath}/quota/recompute`));
    const dashboard = await dashboardWhen(
      client,
      ({ traffic, failures }) => traffic.s3.requests === 7 && failures.length >= 5,
      "the requests to be counted",
    );

    const { s3 } = dashboard.traffic;
    assert.deepEqual([s3.client_errors, s3.server_errors], [3, 0]);
    assert.ok(s3.bytes_in >= 1000 && s3.bytes_out >= 3000);
    assert.equal(s3.error_rate, 0.4286, "3 of 7, to a ten-thousandth");
    assert.ok(s3.requests_per_minute > 0 && s3.requests_per_minute <= 7);
    assert.ok(s3.latency_ms.p50 <= s3.latency_ms.p95 && s3.latency_ms.p95 <= s3.latency_ms.p99);
    assert.equal(s3.points.length, 60);
    const sum = s3.points.reduce((total: number, { requests }: { requests: number }) => total + requests, 0);
    assert.equal(sum, 7);
    assert.ok(dashboard.traffic.dashboard.requests >= 5);

    assert.deepEqual(
      dashboard.top_buckets.by_size.map(({ computed_at: _, ...rest }: Record<string, unknown>) => rest),
      [
        { backend_id: "main", bucket: "bucket", bytes: 1000, objects: 1 },
      ],
    );
    const [busiest] = dashboard.top_buckets.by_requests;
    assert.deepEqual([busiest.backend_id, busiest.bucket], ["main", "bucket"]);
    assert.ok(busiest.requests >= 6);
    const [storage] = dashboard.storage.backends;
    const { tracked_buckets, uncounted_buckets, bytes, objects } = storage;
    assert.deepEqual({ tracked_buckets, uncounted_buckets, bytes, objects }, {
      tracked_buckets: 1,
      uncounted_buckets: 0,
      bytes: 1000,
      objects: 1,
    });
    assert.ok(Date.parse(storage.as_of) <= Date.now());
    assert.equal(dashboard.s3_credentials, 1);
    assert.equal(dashboard.sessions_active, 1);
    assert.deepEqual(dashboard.jobs, { queued: 0, running: 0, stopping: 0 });
    assert.ok(dashboard.database_bytes > 4096);
    assert.equal(dashboard.audit.rows_lost, 0);
    assert.ok(Math.abs(Date.now() - Date.parse(dashboard.program.started_at)) < 120_000);

    // deno-lint-ignore no-explicit-any
    const failureOf = (operation: string): any =>
      // deno-lint-ignore no-explicit-any
      dashboard.failures.find((failure: any) =>
        failure.operation === operation && failure.bucket !== "elsewhere"
      );
    const head = failureOf("HeadObject");
    assert.deepEqual([head.listener, head.status, head.code, head.audited], [
      "s3",
      404,
      "upstream_404",
      true,
    ]);
    assert.equal(head.access_key, endpoint.accessKey);
    assert.equal(failureOf("GetObject").access_key, "");
    const wrongQuota = failureOf("PUT /api/backends/{bid}/buckets/{bucket}/quota");
    assert.deepEqual(
      [wrongQuota.status, wrongQuota.code, wrongQuota.backend_id, wrongQuota.bucket, wrongQuota.audited],
      [400, "invalid_quota", "main", "bucket", true],
    );
    const madeUp = failureOf("GET /api/backends/{bid}/buckets/{bucket}/objects");
    assert.deepEqual([madeUp.backend_id, madeUp.bucket, madeUp.username], ["", "", "admin"]);
    assert.ok(!JSON.stringify(dashboard).includes("secret-key-name"), "no key of an object is in there");

    const audit = await json(client.get("/api/admin/audit?action=quota.set&status=error"));
    assert.equal(audit.events[0].request_id, wrongQuota.request_id);
  });
});

Deno.test("a day is shown in steps of ten minutes", async () => {
  await withProgram({ users: { admin: "admin", writer: "user" } }, async (program) => {
    const admin = await program.signedIn();
    // The sign-in may be in the last step but one.
    const day = await until(async () => {
      const shown = await json(admin.get(`${path}?window=day`));
      return shown.traffic.dashboard.points.at(-1).requests > 0 && shown;
    }, { what: "requests in the last step" });
    assert.equal(day.window.name, "day");
    assert.equal(day.window.step_seconds, 600);
    assert.equal(day.traffic.dashboard.points.length, 144);
    assert.equal(day.traffic.s3, undefined);
    assert.equal(day.s3_credentials, undefined);
    assert.deepEqual(day.storage, { bytes: 0, objects: 0, backends: [] });
    const last = day.traffic.dashboard.points.at(-1);
    assert.equal(Date.parse(last.at) % 600_000, 0);

    assert.equal(await refusal(admin.get(`${path}?window=year`)), "400 bad_request");
    assert.equal(await refusal((await program.signedIn("writer")).get(path)), "403 forbidden");
    assert.equal(await refusal(program.client().get(path)), "401 unauthorized");
    assert.equal(await status((await program.signedIn("writer")).get("/admin/usage")), 403);
  });
});

Deno.test("strangers push no fault out, and what they send stays bounded and is nobody's", async () => {
  await withUpstream("embedded", async (upstream) => {
    using s3 = s3Client(upstream);
    await s3.send(new CreateBucketCommand({ Bucket: "bucket" }));
    const body = "a".repeat(4 * cutAfterBytes);
    await s3.send(new PutObjectCommand({ Bucket: "bucket", Key: "large", Body: body }));
    const proxy = startFaultProxy(upstream);
    try {
      const config = { s3_proxy: { enabled: true, listen: "127.0.0.1:0" } };
      const backends = [{ id: "main", upstream: proxy }];
      await withProgram({ backends, config }, (program) => failAndFlood(program, proxy));
    } finally {
      await proxy.stop();
    }
  });
});

async function failAndFlood(program: Program, proxy: FaultProxy): Promise<void> {
  const admin = await program.signedIn();
  const scope = { backend_id: "main", buckets: ["bucket"] };
  const { access_key: accessKey, secret_key: secretKey } = await json(
    admin.post("/api/admin/s3-credentials", { json: scope }),
    201,
  );
  using s3 = s3Client({ endpoint: await program.proxyUrl(), region: proxy.region, accessKey, secretKey });
  proxy.set("cut");
  await assert.rejects(async () => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: "bucket", Key: "large" }));
    await Body?.transformToByteArray();
  });
  proxy.set("unavailable");
  assert.equal(await refusal(admin.get("/api/backends/main/buckets")), "502 backend_error");

  const stranger = program.client();
  const markup = "%3Cimg%20src=x%20onerror=alert(1)%3E";
  for (let count = 0; count < 60; count++) {
    await status(stranger.get(`/api/backends/${markup}${count}/buckets/${markup}`));
  }
  await status(stranger.post("/auth/login/local", { json: { username: "admin", password: "wrong" } }));
  const { failures, top_buckets: top, traffic } = await dashboardWhen(
    admin,
    ({ failures }) => failures[0]?.operation === "POST /auth/login/local",
    "the sign-in to be counted",
  );
  assert.equal(failures.length, 52);
  assert.deepEqual([failures[0].status, failures[0].code], [401, "invalid_credentials"]);
  const faults = failures.slice(50).map((failure: Record<string, unknown>) =>
    [failure.listener, failure.status, failure.code, failure.backend_id].join(" ")
  );
  assert.deepEqual(faults, ["dashboard 502 backend_error main", "s3 200 upstream_error main"]);
  assert.deepEqual([traffic.s3.requests, traffic.s3.server_errors, traffic.s3.error_rate], [1, 1, 1]);
  assert.equal(traffic.dashboard.server_errors, 1);
  assert.ok(!JSON.stringify(failures).includes("onerror"));
  assert.ok(!JSON.stringify(failures).includes(testPassword));
  assert.deepEqual(top.by_requests, []);
}
