import assert from "node:assert/strict";
import { withBucket } from "../support/bucket.ts";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { presignedUrl } from "../../src/backends/presigned_url.ts";
import { verifyRequest } from "../../src/sigv4/verify.ts";
import { type Upstream, upstreamTest } from "../support/upstreams.ts";

interface Presigned {
  readonly url: string;
  readonly method: string;
  readonly expires_at: string;
  readonly headers?: Record<string, string>;
}

/** The program in front of two entries of one upstream, of which `main` allows presigned URLs and `closed` does not. */
async function withPresign(
  upstream: Upstream,
  body: (bucket: string, client: Client, reader: Client) => Promise<void>,
): Promise<void> {
  const users = { admin: "admin", reader: "readonly" } as const;
  const anonymous = { access_key_env: undefined, secret_key_env: undefined };
  const backends = [
    { id: "main", upstream, entry: { presign: true } },
    { id: "closed", upstream },
    { id: "unsigned", upstream, entry: { presign: true, ...anonymous } },
  ];
  await withProgram({ backends, users }, async (program) => {
    const client = await program.signedIn();
    await json(client.post("/api/backends/main/buckets", { json: { name: "presigned" } }), 201);
    await body("/api/backends/main/buckets/presigned", client, await program.signedIn("reader"));
  });
}

/** Whether the upstream takes the signature for wrong or expired; some say 400 where a signed header is missing. */
async function isRefused(url: string, init?: RequestInit): Promise<boolean> {
  return [400, 403].includes(await status(fetch(url, init)));
}

upstreamTest(["embedded", "minio", "versitygw"], "presigned URLs", async (upstream) => {
  await withPresign(upstream, async (bucket, client, reader) => {
    const presign = (body: unknown): Promise<Presigned> =>
      json(client.post(`${bucket}/presign`, { json: body }));
    const refuses = (body: unknown, path = bucket) => refusal(client.post(`${path}/presign`, { json: body }));
    const keys = ["plain", "folder/ünï +%&=?#.txt", "~!*'();:@$,[] \\", "\u{1f600}", "-_.~/a.b"];
    for (const key of keys) {
      const put = await presign({ key, method: "PUT", content_type: "text/plain" });
      assert.ok(put.url.startsWith(`${upstream.endpoint}/presigned/`));
      assert.deepEqual([put.method, put.headers], ["PUT", { "content-type": "text/plain" }]);
      assert.ok(Math.abs(Date.parse(put.expires_at) - Date.now() - 3_600_000) < 60_000);
      assert.ok(await isRefused(put.url), "it is for PUT only");
      assert.ok(await isRefused(put.url, { method: "PUT", body: "x", headers: { "content-type": "a/b" } }));
      const stored = await fetch(put.url, { method: "PUT", body: `of ${key}`, headers: put.headers });
      assert.equal(stored.status, 200, await stored.text());

      const get = await presign({ key, method: "GET" });
      assert.equal(get.headers, undefined);
      assert.equal(await (await fetch(get.url)).text(), `of ${key}`);
      assert.ok(await isRefused(get.url, { method: "PUT", body: "other" }), "it is for GET only");
      assert.ok(await isRefused(get.url, { method: "DELETE" }));
      assert.ok(await isRefused(`${get.url}&response-content-type=text/html`));
      const asked = { key, method: "GET", disposition: "attachment", content_type: "text/csv" };
      const saved = await fetch((await presign(asked)).url);
      assert.equal(await saved.text(), `of ${key}`);
      assert.equal(saved.headers.get("content-type"), "text/csv");
      assert.match(saved.headers.get("content-disposition") ?? "", /^attachment; filename=/);
    }

    const brief = await presign({ key: "plain", method: "GET", expires_seconds: 1 });
    await until(() => isRefused(brief.url), { what: "the URL to expire" });
    assert.ok(Date.parse(brief.expires_at) <= Date.now());

    for (
      const body of [
        { key: "a" },
        { method: "GET" },
        { key: "a", method: "DELETE" },
        { key: "a", method: "GET", expires_seconds: 0 },
        { key: "a", method: "GET", expires_seconds: 604_801 },
        { key: "a", method: "GET", expires_seconds: 1.5 },
        { key: "a", method: "PUT", version_id: "null" },
        { key: "a", method: "PUT", disposition: "inline" },
        { key: "a", method: "GET", disposition: "other" },
      ]
    ) {
      assert.equal(await refuses(body), "400 bad_request", JSON.stringify(body));
    }
    for (const key of ["", "a\0", "a/../b", "./a", "x".repeat(1025)]) {
      for (const method of ["GET", "PUT"]) {
        assert.equal(await refuses({ key, method }), "400 invalid_key", key);
      }
    }
    const type = { key: "a", method: "PUT", content_type: "a/b\r\nx: y" };
    assert.equal(await refuses(type), "400 invalid_metadata");
    const read = { key: "plain", method: "GET" };
    for (const id of ["closed", "unsigned"]) {
      assert.equal(await refuses(read, bucket.replace("/main/", `/${id}/`)), "400 not_supported", id);
    }
    assert.equal(await refuses(read, bucket.replace("/main/", "/none/")), "404 not_found");
    assert.equal(await refusal(reader.post(`${bucket}/presign`, { json: read })), "403 forbidden");

    await json(client.put(`${bucket}/quota`, { json: { soft_bytes: 0, hard_bytes: 1000 } }));
    assert.equal(await refuses({ key: "a", method: "PUT" }), "400 not_supported");
    assert.equal((await presign(read)).method, "GET");

    const audit = await (await client.get("/api/admin/audit?action=object.presign&limit=500")).text();
    assert.ok(!audit.includes("X-Amz") && !audit.includes(new URL(upstream.endpoint).host));
    const [last] = JSON.parse(audit).events;
    assert.deepEqual([last.key, last.status, last.detail.method, last.detail.expires_seconds], [
      "plain",
      "ok",
      "GET",
      3600,
    ]);
  });
});

upstreamTest(["minio", "versitygw"], "a presigned URL of one version", async (upstream) => {
  await withBucket(upstream, async ({ client, bucket, backend, upload }) => {
    assert.equal(backend, "/api/backends/main");
    await json(client.put(`${bucket}/versioning`, { json: { enabled: true } }));
    await upload("a", "first");
    const { version_id } = await json(client.get(`${bucket}/object/info?key=a`));
    await upload("a", "second");
    const { url } = await json(
      client.post(`${bucket}/presign`, { json: { key: "a", method: "GET", version_id } }),
    );
    assert.equal(await (await fetch(url)).text(), "first");
  }, { config: { backends: [entryOf(upstream)] } });
});

/** The entry of the backend that `withBucket` makes, with presigned URLs. */
function entryOf({ endpoint, region }: Upstream): Record<string, unknown> {
  return {
    id: "main",
    type: "s3v4",
    endpoint,
    region,
    path_style: true,
    presign: true,
    access_key_env: "BACKEND_0_ACCESS_KEY",
    secret_key_env: "BACKEND_0_SECRET_KEY",
  };
}

Deno.test("a presigned URL has the bucket in its host where the backend has it there", () => {
  const backend = {
    id: "main",
    name: "main",
    type: "s3v4",
    endpoint: "https://s3.example.com",
    region: "eu-north-1",
    pathStyle: false,
    presign: true,
    enabled: true,
    source: "config",
    credentials: { accessKey: "key", secretKey: "secret" },
  } as const;
  const now = Date.UTC(2026, 10, 21);
  const request = {
    method: "GET",
    bucket: "photos",
    key: "/a b",
    query: { versionId: "x y" },
    headers: {},
  } as const;
  const url = presignedUrl(backend, { ...request, expiresSeconds: 60 }, now);
  assert.ok(url.startsWith("https://photos.s3.example.com//a%20b?versionId=x%20y&X-Amz-Algorithm="), url);
  const verify = (method: string, at: number) => {
    const [path, query] = url.slice("https://photos.s3.example.com".length).split("?");
    const headers = new Headers({ host: "photos.s3.example.com" });
    return verifyRequest({ method, path, query, headers }, () => "secret", at)?.accessKeyId;
  };
  assert.equal(verify("GET", now + 59_000), "key");
  assert.throws(() => verify("GET", now + 61_000), /expired/);
  assert.throws(() => verify("PUT", now), /does not match/);
});

upstreamTest(["versitygw"], "no URL uploads an object under another name than it says", async (upstream) => {
  await withPresign(upstream, async (bucket, client) => {
    for (const key of ["a//b", "/a"]) {
      const upload = client.post(`${bucket}/presign`, { json: { key, method: "PUT" } });
      assert.equal(await refusal(upload), "400 invalid_key", key);
    }
  });
});
