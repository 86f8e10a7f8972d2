import assert from "node:assert/strict";
import { backendId, bucketName, withBucket } from "../support/bucket.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { json, refusal } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { withUpstream } from "../support/upstreams.ts";

Deno.test("every way a backend fails has a clear answer, and none tells its address", async (context) => {
  await withUpstream("embedded", async (upstream) => {
    const proxy = startFaultProxy(upstream);
    try {
      await withBucket(proxy, async ({ client, backend, bucket, object, upload }) => {
        const body = new Uint8Array(1 << 20);
        await upload("big", body);
        const requests = () => [
          client.get(`${backend}/buckets`),
          client.get(`${bucket}/objects`),
          client.get(object("big")),
          client.get(`${bucket}/object/info?key=big`),
          client.post(object("new"), { body: "content" }),
          // Larger bodies, and keys that have dot segments, take another way to the backend.
          client.post(object("new"), { body: new Uint8Array(3 << 20) }),
          client.get(object("a/../b")),
          client.delete(object("big")),
          client.post(`${bucket}/objects/delete`, { json: { keys: [{ key: "big" }] } }),
        ];
        const answers = async () => {
          const texts = await Promise.all(
            requests().map(async (request) => {
              const response = await request;
              const text = await response.text();
              assert.ok(!text.includes(new URL(proxy.endpoint).port), text);
              assert.ok(!text.includes(proxy.accessKey), text);
              const { code, message, detail } = JSON.parse(text).error;
              return { status: response.status, code, message, detail };
            }),
          );
          return texts;
        };
        const all = async (expected: string, message: RegExp) => {
          for (const answer of await answers()) {
            assert.equal(`${answer.status} ${answer.code}`, expected, JSON.stringify(answer));
            assert.match(answer.message, message);
          }
        };

        await context.step("refuses connections", async () => {
          proxy.set("refuse");
          await all("502 backend_error", /refuses connections/);
        });
        await context.step("answers with a web page", async () => {
          proxy.set("html");
          await all("502 backend_error", /not that of an S3 server/);
        });
        await context.step("is unavailable", async () => {
          proxy.set("unavailable");
          for (const answer of await answers()) {
            assert.equal(`${answer.status} ${answer.code}`, "502 backend_error", JSON.stringify(answer));
            assert.equal(answer.detail.upstream_status, 503);
          }
        });
        await context.step("hangs", async () => {
          proxy.set("hang");
          await all("504 backend_timeout", /in time/);
        });
        await context.step("dies in the middle of an object", async () => {
          proxy.set("cut");
          const response = await client.get(object("big"));
          assert.equal(response.status, 200);
          assert.equal(response.headers.get("content-length"), String(body.length));
          await assert.rejects(response.arrayBuffer());
        });
        await context.step("comes back", async () => {
          proxy.set("none");
          const { objects } = await json(client.get(`${bucket}/objects`));
          assert.deepEqual(objects.map(({ key }: { key: string }) => key), ["big"]);
        });
      });
    } finally {
      await proxy.stop();
    }
  });
});

Deno.test("a backend that is down does not hold up another, and its health tells why", async () => {
  await withUpstream("embedded", async (upstream) => {
    const proxy = startFaultProxy(upstream);
    try {
      await withBucket(proxy, async ({ program, client, backend }) => {
        proxy.set("refuse");
        const probed = await json(client.get(`${backend}/health`));
        assert.equal(probed.healthy, false);
        assert.match(probed.last_error, /refuses connections/);
        assert.equal(probed.last_error_reason, "connection_refused");
        const reader = await program.signedIn("reader");
        const { backends: [told] } = await json(client.get("/api/backends"));
        assert.equal(told.last_error_reason, "connection_refused");
        const { backends: [listed] } = await json(reader.get("/api/backends"));
        for (
          const seen of [listed, await json(reader.get(backend)), await json(reader.get(`${backend}/health`))]
        ) {
          assert.equal(seen.healthy, false);
          assert.ok(!("last_error" in seen || "last_error_reason" in seen), "why is for administrators");
        }
        const page = await (await reader.get("/")).text();
        assert.match(page, /Ask an administrator why/);
        assert.doesNotMatch(page, /refuses connections|connection_refused/);
        const { backends: [down] } = await json(client.get("/api/admin/backends/health"));
        assert.equal(down.history.at(-1).reason, "connection_refused");
        proxy.set("none");
        for (let count = 0; count < 25; count++) await json(client.get(`${backend}/health`));
        for (const path of ["/admin/backends/health", "/api/admin/backends/health"]) {
          const { backends: [health] } = await json(client.get(path));
          assert.equal(health.id, backendId);
          assert.equal(health.healthy, true);
          assert.equal(health.history.length, 20);
          assert.equal(typeof health.latency_ms, "number");
        }
        const { backends: [seen] } = await json(client.get("/api/backends"));
        assert.deepEqual(Object.keys(seen.capabilities).sort(), [
          "cors",
          "lifecycle",
          "multipart",
          "policy",
          "tagging",
          "versioning",
        ]);
      }, { users: { admin: "admin", reader: "readonly" } });
    } finally {
      await proxy.stop();
    }
  });
});

Deno.test("a probe that takes long does not replace what later ones have found", async () => {
  await withUpstream("embedded", async (upstream) => {
    const proxy = startFaultProxy(upstream);
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    proxy.rule({
      matches: ({ method, bucket }) => method === "GET" && bucket === "",
      count: 1,
      fault: { kind: "status", status: 403, code: "InvalidAccessKeyId" },
      onRequest() {
        reached.resolve();
        return released.promise;
      },
    });
    try {
      await withProgram({ backends: [{ id: backendId, upstream: proxy }] }, async (program) => {
        const client = await program.signedIn();
        await reached.promise;
        assert.equal((await json(client.get(`/api/backends/${backendId}/health`))).healthy, true);
        released.resolve();
        const health = await until(async () => {
          const { backends: [found] } = await json(client.get("/api/admin/backends/health"));
          return found.history.length === 2 && found;
        }, { what: "the end of the first probe" });
        assert.deepEqual(health.history.map(({ healthy }: { healthy: boolean }) => healthy), [false, true]);
        assert.equal(health.healthy, true);
      });
    } finally {
      released.resolve();
      await proxy.stop();
    }
  });
});

Deno.test("probes begin with the program", async () => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async ({ client }) => {
      const health = await until(async () => {
        const { backends: [found] } = await json(client.get("/admin/backends/health"));
        return found.history.length > 0 && found;
        // The next one would come after 30 s.
      }, { timeoutMs: 20_000, what: "the first probe" });
      assert.equal(health.healthy, true);
      assert.equal(
        await refusal(client.get(`/api/backends/nowhere/buckets/${bucketName}/objects`)),
        "404 not_found",
      );
    }));
});
