import assert from "node:assert/strict";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { Database } from "../../src/store/database.ts";
import { withBucket } from "../support/bucket.ts";
import { type Endpoint, withEndpoint } from "../support/endpoint.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { s3Client } from "../support/s3_client.ts";
import { withUpstream } from "../support/upstreams.ts";

const app = "https://app.example.com";
const rules = [{
  allowed_origins: [app, "https://*.example.org"],
  allowed_methods: ["GET", "PUT"],
  allowed_headers: ["Content-Type", "x-amz-*"],
  expose_headers: ["ETag"],
  max_age_seconds: 600,
}];
const s3_proxy = { enabled: true, listen: "127.0.0.1:0" };
const cors = "/api/backends/main/buckets/bucket/proxy-cors";

/** Asks as a browser does before it lets a script of {@link app} put an object. */
function preflight({ url }: Endpoint, path: string, origin = app): Promise<Response> {
  return fetch(url + path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "PUT",
      "access-control-request-headers": "content-type,x-amz-date",
    },
  });
}

Deno.test("the rules of a bucket are set, shown, replaced and removed", async () => {
  await withUpstream(
    "embedded",
    (upstream) =>
      withBucket(upstream, async ({ program, client, backend, bucket }) => {
        const path = `${bucket}/proxy-cors`;
        assert.deepEqual(await json(client.get(path)), { rules: [] });
        assert.deepEqual(await json(client.put(path, { json: { rules } })), { rules });
        assert.deepEqual(await json(client.get(path)), { rules });
        const minimal = { allowed_origins: ["*"], allowed_methods: ["GET"] };
        const withDefaults = { ...minimal, allowed_headers: [], expose_headers: [] };
        const replaced = await json(client.put(path, { json: { rules: [minimal] } }));
        assert.deepEqual(replaced, { rules: [withDefaults] });
        assert.deepEqual(await json(client.put(path, { json: { rules: [] } })), { rules: [] });
        assert.deepEqual(await json(client.get(path)), { rules: [] });

        const missing = `${backend}/buckets/nothing/proxy-cors`;
        assert.equal(await refusal(client.get(missing)), "404 not_found");
        assert.equal(await refusal(client.put(missing, { json: { rules } })), "404 not_found");
        const writer = await program.signedIn("writer");
        await json(writer.put(path, { json: { rules } }));
        const reader = await program.signedIn("reader");
        assert.deepEqual(await json(reader.get(path)), { rules });
        assert.equal(await refusal(reader.put(path, { json: { rules: [] } })), "403 forbidden");
        const { events } = await json(client.get("/api/admin/audit?action=bucket.proxy_cors.set"));
        assert.deepEqual(
          events.map(({ status, detail }: { status: string; detail: { rules?: number } }) =>
            `${status} ${detail.rules}`
          ),
          ["error undefined", "ok 1", "error 1", "ok 0", "ok 1", "ok 1"],
        );
      }, { config: { s3_proxy }, users: { admin: "admin", writer: "user", reader: "readonly" } }),
  );
});

Deno.test("rules that are wrong are refused as a whole, with the place of the first mistake", async () => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async ({ client, bucket }) => {
      const path = `${bucket}/proxy-cors`;
      await json(client.put(path, { json: { rules } }));
      const [good] = rules;
      const cases: [rule: Record<string, unknown>, field: string][] = [
        [{ allowed_origins: [] }, "rules.1.allowed_origins"],
        [{ allowed_origins: ["https://*.*.test"] }, "rules.1.allowed_origins.0"],
        [{ allowed_origins: [app, "https://app.test/"] }, "rules.1.allowed_origins.1"],
        [{ allowed_origins: [""] }, "rules.1.allowed_origins.0"],
        [{ allowed_origins: ["https://a.test, https://b.test"] }, "rules.1.allowed_origins.0"],
        [{ allowed_origins: undefined }, "rules.1.allowed_origins"],
        [{ allowed_methods: ["PATCH"] }, "rules.1.allowed_methods.0"],
        [{ allowed_methods: ["get"] }, "rules.1.allowed_methods.0"],
        [{ allowed_methods: [] }, "rules.1.allowed_methods"],
        [{ allowed_headers: ["x-*-*"] }, "rules.1.allowed_headers.0"],
        [{ allowed_headers: ["not a header"] }, "rules.1.allowed_headers.0"],
        [{ expose_headers: ["x-amz-*"] }, "rules.1.expose_headers.0"],
        [{ max_age_seconds: -1 }, "rules.1.max_age_seconds"],
        [{ max_age_seconds: 1.5 }, "rules.1.max_age_seconds"],
        [{ id: "mine" }, "rules.1"],
      ];
      for (const [change, field] of cases) {
        const { error } = await json(
          client.put(path, { json: { rules: [good, { ...good, ...change }] } }),
          400,
        );
        assert.deepEqual([error.code, error.detail], ["invalid_cors", { field, rule: 1 }], field);
        assert.ok(error.message.startsWith(`${field}: `), error.message);
      }
      for (const wrong of [{}, "none", Array(101).fill(good)]) {
        const refused = await refusal(client.put(path, { json: { rules: wrong } }));
        assert.equal(refused, "400 invalid_cors");
      }
      assert.equal(await refusal(client.put(path, { json: {} })), "400 bad_request");
      const long = Array(100).fill({
        ...good,
        allowed_headers: Array.from({ length: 20 }, (_, index) => `x-${"long".repeat(10)}-${index}`),
      });
      assert.equal(await refusal(client.put(path, { json: { rules: long } })), "400 invalid_cors");
      assert.deepEqual(await json(client.get(path)), { rules });
    }, { config: { s3_proxy } }));
});

Deno.test("the endpoint answers preflights without a signature, from the very next request on", async () => {
  await withEndpoint("embedded", {}, async (endpoint) => {
    const refused = await preflight(endpoint, "/bucket/key");
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /<Code>AccessForbidden<\/Code><Message>CORSResponse: /);

    await json(endpoint.client.put(cors, { json: { rules } }));
    for (const path of ["/bucket/key", "/bucket", "/bucket/key?X-Amz-Signature=abc"]) {
      const answer = await preflight(endpoint, path);
      assert.equal(answer.status, 200, path);
      assert.equal(await answer.text(), "");
      assert.equal(answer.headers.get("access-control-allow-origin"), app);
      assert.equal(answer.headers.get("access-control-allow-methods"), "GET, PUT");
      assert.equal(answer.headers.get("access-control-allow-headers"), "content-type, x-amz-date");
      assert.equal(answer.headers.get("access-control-max-age"), "600");
      assert.equal(
        answer.headers.get("vary"),
        "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
      );
      assert.ok(answer.headers.get("x-amz-request-id"));
    }
    assert.equal(await status(preflight(endpoint, "/bucket/key", "https://sub.example.org")), 200);
    assert.equal(await status(preflight(endpoint, "/bucket/key", "https://evil.test")), 403);
    assert.equal(await status(preflight(endpoint, "/other/key")), 403);
    assert.equal(await status(fetch(`${endpoint.url}/bucket/key`, { method: "OPTIONS" })), 400);

    await json(endpoint.client.put(cors, { json: { rules: [] } }));
    assert.equal(await status(preflight(endpoint, "/bucket/key")), 403);
  });
});

Deno.test("answers to scripts carry the headers of CORS, errors too", async () => {
  await withEndpoint("embedded", { proxy: { anonymous_enabled: true } }, async (endpoint) => {
    const { client, upstream, url } = endpoint;
    await json(client.put(cors, { json: { rules } }));
    using s3 = s3Client(upstream);
    await s3.send(new PutObjectCommand({ Bucket: "bucket", Key: "key", Body: "content" }));
    const get = (path: string, headers?: Record<string, string>) => fetch(url + path, { headers });
    const allowedOrigin = (answer: Response) => answer.headers.get("access-control-allow-origin");

    const denied = await get("/bucket/key", { origin: app });
    assert.equal(denied.status, 403);
    assert.equal(allowedOrigin(denied), app);
    assert.match(await denied.text(), /<Code>AccessDenied<\/Code>/);

    const binding = { backend_id: "main", bucket: "bucket", mode: "ReadOnly" };
    await json(client.post("/api/admin/s3-anonymous", { json: binding }), 201);
    const answer = await get("/bucket/key", { origin: app });
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), "content");
    assert.equal(allowedOrigin(answer), app);
    assert.equal(answer.headers.get("access-control-expose-headers"), "ETag");
    const missing = await get("/bucket/missing", { origin: app });
    assert.equal(missing.status, 404);
    assert.equal(allowedOrigin(missing), app);
    await missing.body?.cancel();

    for (const headers of [{ origin: "https://evil.test" }, undefined]) {
      const plain = await get("/bucket/key", headers);
      assert.equal(await plain.text(), "content");
      assert.equal(allowedOrigin(plain), null);
    }
  });
});

Deno.test("a preflight is answered by every bucket of the name, the request itself by its own", async () => {
  await withEndpoint("embedded", { proxy: { anonymous_enabled: true } }, async (endpoint) => {
    const { client, upstream, url } = endpoint;
    const second = {
      id: "second",
      endpoint: upstream.endpoint,
      access_key: upstream.accessKey,
      secret_key: upstream.secretKey,
      path_style: true,
    };
    await json(client.post("/api/admin/backends", { json: second }), 201);
    await json(client.put(cors.replace("main", "second"), { json: { rules } }));
    const binding = { backend_id: "main", bucket: "bucket", mode: "ReadOnly" };
    await json(client.post("/api/admin/s3-anonymous", { json: binding }), 201);
    assert.equal(await status(preflight(endpoint, "/bucket/key")), 200);
    const answer = await fetch(`${url}/bucket/key`, { headers: { origin: app } });
    assert.equal(answer.status, 404);
    assert.equal(answer.headers.get("access-control-allow-origin"), null);
    await answer.body?.cancel();
    assert.equal(await status(client.delete("/api/admin/backends/second")), 204);
    assert.equal(await status(preflight(endpoint, "/bucket/key")), 403);
  });
});

Deno.test("rules go with their bucket and their backend", async () => {
  await withUpstream(
    "embedded",
    (upstream) =>
      withBucket(upstream, async ({ program, client, backend, bucket }) => {
        const path = `${bucket}/proxy-cors`;
        const count = () => {
          const database = new Database(program.databasePath);
          try {
            return database.all("SELECT * FROM proxy_cors").length;
          } finally {
            database.close();
          }
        };
        await json(client.put(path, { json: { rules } }));
        assert.equal(count(), 1);
        assert.equal(await status(client.delete(bucket)), 204);
        assert.equal(count(), 0);
        await json(client.post(`${backend}/buckets`, { json: { name: "test-bucket" } }), 201);
        assert.deepEqual(await json(client.get(path)), { rules: [] });

        const { endpoint, accessKey: access_key, secretKey: secret_key } = upstream;
        const second = { id: "second", endpoint, access_key, secret_key, path_style: true };
        await json(client.post("/api/admin/backends", { json: second }), 201);
        await json(client.put(path.replace("main", "second"), { json: { rules } }));
        assert.equal(count(), 1);
        assert.equal(await status(client.delete("/api/admin/backends/second")), 204);
        assert.equal(count(), 0);
      }, { config: { s3_proxy } }),
  );
});
