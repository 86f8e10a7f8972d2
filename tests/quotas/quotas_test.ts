import assert from "node:assert/strict";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { backendId, bucketName, type TestBucket, withBucket } from "../support/bucket.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { type Upstream, upstreamTest, withUpstream } from "../support/upstreams.ts";

function quotaOf({ client, bucket }: TestBucket) {
  return json(client.get(`${bucket}/quota`));
}

function setQuota({ client, bucket }: TestBucket, softBytes: number, hardBytes: number) {
  return json(client.put(`${bucket}/quota`, { json: { soft_bytes: softBytes, hard_bytes: hardBytes } }));
}

async function softEvents({ client }: TestBucket) {
  return (await json(client.get("/api/admin/audit?action=quota.soft_exceeded"))).events;
}

/** Stores an object past the program. */
async function storeDirectly(upstream: Upstream, key: string, content: string, Bucket = bucketName) {
  using direct = s3Client(upstream);
  await direct.send(new PutObjectCommand({ Bucket, Key: key, Body: content }));
}

upstreamTest(["embedded", "minio"], "a quota is set, shown with the usage, and removed", async (upstream) => {
  await withBucket(upstream, async (bucket) => {
    const { client, upload } = bucket;
    await upload("a", "12345");
    assert.deepEqual(await quotaOf(bucket), {
      configured: false,
      soft_bytes: 0,
      hard_bytes: 0,
      usage_bytes: 0,
      object_count: 0,
      computed_at: null,
      has_usage: false,
      updated_at: null,
      updated_by: null,
    });
    assert.equal(await refusal(client.get(`${bucket.bucket}/usage`)), "400 size_tracking_disabled");
    await setQuota(bucket, 100, 1000);
    const counted = await until(async () => {
      const quota = await quotaOf(bucket);
      return quota.has_usage && quota;
    }, { what: "the count of the bucket" });
    const { computed_at, updated_at, ...rest } = counted;
    assert.deepEqual(rest, {
      configured: true,
      soft_bytes: 100,
      hard_bytes: 1000,
      usage_bytes: 5,
      object_count: 1,
      has_usage: true,
      updated_by: "admin",
    });
    for (const time of [computed_at, updated_at]) assert.ok(Date.now() - Date.parse(time) < 60_000);

    await storeDirectly(upstream, "b", "1234567890");
    assert.equal((await quotaOf(bucket)).usage_bytes, 5);
    assert.equal((await json(client.post(`${bucket.bucket}/quota/recompute`))).usage_bytes, 15);

    assert.equal(await status(client.delete(`${bucket.bucket}/quota`)), 204);
    assert.equal((await quotaOf(bucket)).configured, false);
    await upload("c", "x".repeat(2000));
    await setQuota(bucket, 0, 2014);
    assert.equal(await refusal(client.post(bucket.object("d"), { body: "x" })), "507 quota_exceeded");
    const today = new Date().toISOString().slice(0, 10);
    const { samples } = await json(client.get(`${bucket.bucket}/usage?days=7`));
    assert.deepEqual(samples, [{ day: today, bytes: 2015, object_count: 3 }]);
    const { events } = await json(client.get("/api/admin/audit?action=quota.*"));
    assert.deepEqual(events.map(({ action }: { action: string }) => action), [
      "quota.set",
      "quota.delete",
      "quota.recompute",
      "quota.set",
    ]);
    assert.deepEqual(events[0].detail, { soft_bytes: 0, hard_bytes: 2014 });
  });
});

Deno.test("bad quotas are refused and change nothing", async () => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async (bucket) => {
      const { program, client, backend } = bucket;
      const path = `${bucket.bucket}/quota`;
      await setQuota(bucket, 10, 20);
      for (
        const body of [
          {},
          { soft_bytes: 1 },
          { hard_bytes: 1 },
          { soft_bytes: 21, hard_bytes: 20 },
          { soft_bytes: -1, hard_bytes: 20 },
          { soft_bytes: 0, hard_bytes: -1 },
          { soft_bytes: 1.5, hard_bytes: 20 },
          { soft_bytes: "1", hard_bytes: 20 },
          { soft_bytes: null, hard_bytes: 20 },
          { soft_bytes: true, hard_bytes: 20 },
          { soft_bytes: [1], hard_bytes: 20 },
          { soft_bytes: 0, hard_bytes: 2 ** 53 },
          { soft_bytes: 0, hard_bytes: 1e300 },
        ]
      ) {
        const answer = await refusal(client.put(path, { json: body }));
        assert.equal(answer, "400 invalid_quota", JSON.stringify(body));
      }
      assert.equal(await refusal(client.put(path, { json: [] })), "400 bad_request");
      assert.equal(await refusal(client.put(path, { body: "{" })), "400 bad_request");
      const { soft_bytes, hard_bytes } = await quotaOf(bucket);
      assert.deepEqual([soft_bytes, hard_bytes], [10, 20]);
      for (const days of ["0", "-1", "367", "x", "1.5"]) {
        assert.equal(
          await refusal(client.get(`${bucket.bucket}/usage?days=${days}`)),
          "400 bad_request",
          days,
        );
      }
      const nowhere = `${backend}/buckets/nowhere`;
      const limits = { json: { soft_bytes: 1, hard_bytes: 2 } };
      assert.equal(await refusal(client.get(`${nowhere}/quota`)), "404 not_found");
      assert.equal(await refusal(client.put(`${nowhere}/quota`, limits)), "404 not_found");
      assert.equal(await refusal(client.delete(`${nowhere}/quota`)), "404 not_found");
      assert.equal(await refusal(client.post(`${nowhere}/quota/recompute`)), "404 not_found");
      assert.equal(await refusal(client.get(`${nowhere}/usage`)), "404 not_found");

      const reader = await program.signedIn("reader");
      assert.equal((await json(reader.get(path))).hard_bytes, 20);
      assert.equal(await refusal(reader.put(path, limits)), "403 forbidden");
      assert.equal(await refusal(reader.delete(path)), "403 forbidden");
      assert.equal(await refusal(reader.post(`${path}/recompute`)), "403 forbidden");
      const writer = await program.signedIn("writer");
      assert.equal((await json(writer.put(path, limits))).updated_by, "writer");
      const largest = { json: { soft_bytes: Number.MAX_SAFE_INTEGER, hard_bytes: 0 } };
      assert.equal((await json(writer.put(path, largest))).soft_bytes, Number.MAX_SAFE_INTEGER);
    }, { users: { admin: "admin", writer: "user", reader: "readonly" } }));
});

Deno.test("passing the soft cap is audited once a crossing", async () => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async (bucket) => {
      const { client, object, upload } = bucket;
      await setQuota(bucket, 100, 0);
      await upload("a", "x".repeat(100));
      assert.equal((await softEvents(bucket)).length, 0);
      for (const key of ["b", "c", "d"]) await upload(key, "x");
      const [event, ...others] = await until(async () => {
        const events = await softEvents(bucket);
        return events.length > 0 && events;
      }, { what: "the audit record" });
      assert.equal(others.length, 0);
      assert.deepEqual(event.detail, { soft_bytes: 100, usage_bytes: 101 });
      assert.deepEqual([event.backend, event.bucket, event.status], ["main", bucketName, "ok"]);
      assert.equal(await status(client.delete(object("a"))), 204);
      await upload("e", "x".repeat(200));
      await until(async () => (await softEvents(bucket)).length === 2, { what: "the second audit record" });
    }));
});

/** Runs `body` with the program started again on the state it left, as the user of before. */
async function restarted(
  upstream: Upstream,
  { program, backend, bucket, object }: TestBucket,
  body: (bucket: Pick<TestBucket, "client" | "bucket" | "object" | "backend">) => Promise<void>,
): Promise<void> {
  const options = { ...withoutScans, backends: [{ id: backendId, upstream }], directory: program.directory };
  await withProgram(options, async (again) => {
    await body({ client: await again.signedIn(), backend, bucket, object });
  });
}

const withoutScans = { config: { quotas: { scan_interval: "-1s" } } };

Deno.test("figures outlive a restart", async () => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async (bucket) => {
      await setQuota(bucket, 0, 10);
      await bucket.upload("a", "12345");
      assert.equal((await bucket.program.child.stop(60_000)).code, 0);
      // Nobody counts, so this is not known.
      await storeDirectly(upstream, "b", "123");
      await restarted(upstream, bucket, async ({ client, object, bucket: path }) => {
        const { usage_bytes, object_count, has_usage } = await json(client.get(`${path}/quota`));
        assert.deepEqual([usage_bytes, object_count, has_usage], [5, 1, true]);
        assert.equal(await refusal(client.post(object("c"), { body: "123456" })), "507 quota_exceeded");
        await json(client.post(object("c"), { body: "12345" }), 201);
      });
    }, withoutScans));
});

Deno.test("after a crash a bucket is counted before anything is stored", async () => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async (bucket) => {
      await setQuota(bucket, 0, 10);
      await bucket.upload("a", "12345");
      bucket.program.child.signal("SIGKILL");
      await bucket.program.child.exited;
      await storeDirectly(upstream, "b", "123");
      await restarted(upstream, bucket, async ({ client, object }) => {
        assert.equal(await refusal(client.post(object("c"), { body: "123" })), "507 quota_exceeded");
        await json(client.post(object("c"), { body: "12" }), 201);
      });
    }, withoutScans));
});

Deno.test("a start counts every bucket with a quota or size tracking", async () => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async (bucket) => {
      const tracked = `${bucket.backend}/buckets/tracked`;
      await json(bucket.client.post(`${bucket.backend}/buckets`, { json: { name: "tracked" } }), 201);
      await setQuota(bucket, 0, 10);
      await json(bucket.client.put(`${tracked}/size-tracking`, { json: { enabled: true } }));
      const sizes = async (client: Client) => {
        const { buckets } = await json(client.get(`${bucket.backend}/buckets`));
        return buckets.map((
          { size_bytes, object_count }: Record<string, number>,
        ) => [size_bytes, object_count]);
      };
      await until(async () => (await sizes(bucket.client))[1][0] === 0, { what: "the first count" });
      await bucket.program.child.stop();
      await storeDirectly(upstream, "a", "123");
      await storeDirectly(upstream, "b", "12345", "tracked");
      const options = { backends: [{ id: backendId, upstream }], directory: bucket.program.directory };
      await withProgram(options, async (again) => {
        const client = await again.signedIn();
        await until(async () => (await json(client.get(`${bucket.bucket}/quota`))).usage_bytes === 3, {
          what: "the count of the bucket with a quota",
        });
        await until(async () => (await sizes(client))[1][0] === 5, { what: "the count of the other" });
        // What is counted is shown, for whichever reason it is counted.
        assert.deepEqual(await sizes(client), [[3, 1], [5, 1]]);
      });
    }));
});

Deno.test("buckets are counted each interval, also while another backend hangs", async () => {
  await withUpstream("embedded", async (upstream) => {
    const proxy = startFaultProxy(upstream);
    const backends = [{ id: "slow", upstream: proxy }, { id: "main", upstream }];
    try {
      await withProgram({ backends, config: { quotas: { scan_interval: "200ms" } } }, async (program) => {
        const client = await program.signedIn();
        await json(client.post("/api/backends/main/buckets", { json: { name: bucketName } }), 201);
        const path = (id: string) => `/api/backends/${id}/buckets/${bucketName}/quota`;
        for (const { id } of backends) {
          await json(client.put(path(id), { json: { soft_bytes: 3, hard_bytes: 0 } }));
        }
        proxy.set("hang");
        await storeDirectly(upstream, "a", "12345");
        await until(async () => (await json(client.get(path("main")))).usage_bytes === 5, {
          what: "a count",
        });
        const events = await until(async () => {
          const found = await json(client.get("/api/admin/audit?action=quota.soft_exceeded&backend=main"));
          return found.events.length > 0 && found.events;
        }, { what: "the audit record" });
        assert.deepEqual(events.map(({ detail }: { detail: unknown }) => detail), [{
          soft_bytes: 3,
          usage_bytes: 5,
        }]);
      });
    } finally {
      await proxy.stop();
    }
  });
});

Deno.test("a bucket's quota goes with the bucket, and with its backend", async () => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async (bucket) => {
      const { client, backend, upload } = bucket;
      await setQuota(bucket, 0, 10);
      assert.equal(await status(client.delete(bucket.bucket)), 204);
      await json(client.post(`${backend}/buckets`, { json: { name: bucketName } }), 201);
      assert.equal((await quotaOf(bucket)).configured, false);
      await upload("a", "x".repeat(100));

      const { endpoint, region, accessKey, secretKey } = upstream;
      const definition = {
        id: "second",
        endpoint,
        region,
        path_style: true,
        access_key: accessKey,
        secret_key: secretKey,
      };
      const quota = `/api/backends/second/buckets/${bucketName}/quota`;
      for (let round = 0; round < 2; round++) {
        await json(client.post("/api/admin/backends", { json: definition }), 201);
        assert.equal((await json(client.get(quota))).configured, false);
        await json(client.put(quota, { json: { soft_bytes: 0, hard_bytes: 10 } }));
        assert.equal(await status(client.delete("/api/admin/backends/second")), 204);
      }
    }));
});
