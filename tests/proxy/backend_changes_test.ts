import assert from "node:assert/strict";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { type Client, json, status } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { type Upstream, withUpstream } from "../support/upstreams.ts";
import { type WireAnswer, WireConnection } from "./support/wire.ts";

const s3_proxy = { enabled: true, listen: "127.0.0.1:0" };

/** A backend that an administrator has registered, and a credential for the bucket `bucket` on it. */
interface Registered {
  readonly admin: Client;
  /** Reads the object `key` over one connection that is kept. */
  get(): Promise<WireAnswer>;
  change(fields: Record<string, unknown>): Promise<void>;
}

async function makeBucket(upstream: Upstream, content: string): Promise<void> {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket: "bucket" }));
  using connection = await WireConnection.open(upstream.endpoint);
  const request = { method: "PUT", target: "/bucket/key", body: content };
  assert.equal((await connection.exchange(request, upstream)).status, 200);
}

function fieldsOf({ endpoint, region, accessKey, secretKey }: Upstream) {
  return { endpoint, region, access_key: accessKey, secret_key: secretKey, path_style: true };
}

/** Runs `body` with two upstreams, the first of which is registered. */
function registered(body: (registered: Registered, other: Upstream) => Promise<void>): Promise<void> {
  return withUpstream("embedded", (first) =>
    withUpstream("embedded", async (second) => {
      await makeBucket(first, "first");
      await makeBucket(second, "second");
      await withProgram({ config: { s3_proxy } }, async (program) => {
        const admin = await program.signedIn();
        await json(admin.post("/api/admin/backends", { json: { id: "own", ...fieldsOf(first) } }), 201);
        const scope = { backend_id: "own", buckets: ["bucket"] };
        const made = await json(admin.post("/api/admin/s3-credentials", { json: scope }), 201);
        const keys = { accessKey: made.access_key, secretKey: made.secret_key };
        using connection = await WireConnection.open(await program.proxyUrl());
        await body({
          admin,
          get: () => connection.exchange({ method: "GET", target: "/bucket/key" }, keys),
          change: async (fields) => {
            await json(admin.patch("/api/admin/backends/own", { json: fields }));
          },
        }, second);
      });
    }));
}

function contentOf({ body }: WireAnswer): string {
  return new TextDecoder().decode(body);
}

/** What a client is told of a fault that is none of its own. */
function assertUnavailable(answer: WireAnswer, status = 502): void {
  assert.deepEqual([answer.status, answer.code], [status, "ServiceUnavailable"], answer.text);
}

Deno.test("a change of a backend counts at the next request", () =>
  registered(async ({ get, change }, other) => {
    assert.equal(contentOf(await get()), "first");
    await change({ endpoint: other.endpoint });
    assert.equal(contentOf(await get()), "second");
    await change({ enabled: false });
    assertUnavailable(await get(), 503);
    await change({ enabled: true });
    assert.equal(contentOf(await get()), "second");
  }));

Deno.test("keys of the backend that are wrong are not the client's fault", () =>
  registered(async ({ get, change, admin }) => {
    await change({ secret_key: "wrong" });
    assertUnavailable(await get());
    await change({ access_key: "nobody" });
    assertUnavailable(await get());
    const { events } = await json(admin.get("/api/admin/audit?action=s3.proxy.getobject"));
    const [{ detail }] = events;
    assert.deepEqual([detail.result, detail.status], ["upstream_error", 502]);
  }));

Deno.test("a backend that is removed takes its credentials with it", () =>
  registered(async ({ get, admin }) => {
    assert.equal((await get()).status, 200);
    assert.equal(await status(admin.delete("/api/admin/backends/own?force=true")), 204);
    const answer = await get();
    assert.deepEqual([answer.status, answer.code], [403, "InvalidAccessKeyId"]);
  }));
