import assert from "node:assert/strict";
import { type Client, json, status } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";
import { type Upstream, upstreamTest, withUpstream } from "../support/upstreams.ts";

/** A request that is recorded, and the record of it when an administrator sends it. */
interface Recorded {
  readonly action: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly backend?: string;
  readonly bucket?: string;
  readonly key?: string;
  /** What the detail must have, besides what else it has. */
  readonly detail?: Record<string, unknown>;
  /** Whether everyone may send it, so that nobody is refused. */
  readonly isForAll?: boolean;
}

const main = "/api/backends/main/buckets";
const photos = `${main}/photos`;
const inPhotos = { backend: "main", bucket: "photos" };
const cors = { allowed_origins: ["https://a.example"], allowed_methods: ["GET"] };
const policy = JSON.stringify({
  Version: "2012-10-17",
  Statement: [{
    Effect: "Allow",
    Principal: "*",
    Action: ["s3:GetObject"],
    Resource: ["arn:aws:s3:::photos/public/*"],
  }],
});

function bucketRequests(): Recorded[] {
  const path = `${main}/photos`;
  const other = { backend: "other", bucket: "photos" };
  return [
    { action: "bucket.create", method: "POST", path: main, body: { name: "photos" }, ...inPhotos },
    {
      action: "bucket.create",
      method: "POST",
      path: main.replace("main", "other"),
      body: { name: "photos" },
      ...other,
    },
    {
      action: "bucket.versioning.set",
      method: "PUT",
      path: `${path}/versioning`,
      body: { enabled: true },
      ...inPhotos,
    },
    {
      action: "bucket.cors.set",
      method: "PUT",
      path: `${path}/cors`.replace("main", "other"),
      body: { rules: [cors] },
      ...other,
    },
    { action: "bucket.policy.set", method: "PUT", path: `${path}/policy`, body: { policy }, ...inPhotos },
    { action: "bucket.policy.delete", method: "DELETE", path: `${path}/policy`, ...inPhotos },
    {
      action: "bucket.lifecycle.set",
      method: "PUT",
      path: `${path}/lifecycle`,
      body: { rules: [{ id: "old", prefix: "tmp/", enabled: true, expiration_days: 7 }] },
      ...inPhotos,
    },
    {
      action: "bucket.proxy_cors.set",
      method: "PUT",
      path: `${path}/proxy-cors`,
      body: { rules: [cors] },
      ...inPhotos,
    },
    {
      action: "bucket.size_tracking.set",
      method: "PUT",
      path: `${path}/size-tracking`,
      body: { enabled: true },
      ...inPhotos,
    },
    {
      action: "quota.set",
      method: "PUT",
      path: `${path}/quota`,
      body: { soft_bytes: 1000, hard_bytes: 2_000_000 },
      ...inPhotos,
      detail: { soft_bytes: 1000, hard_bytes: 2_000_000 },
    },
    { action: "quota.recompute", method: "POST", path: `${path}/quota/recompute`, ...inPhotos },
    { action: "quota.delete", method: "DELETE", path: `${path}/quota`, ...inPhotos },
  ];
}

function objectRequests(): Recorded[] {
  const key = "a <b>&'\"=1.txt";
  const object = `${photos}/object?key=${encodeURIComponent(key)}`;
  const copy = (body: Record<string, unknown>) => ({
    method: "POST",
    path: `${photos}/object/copy`,
    body,
    key,
  });
  const copyPrefix = (body: Record<string, unknown>) => ({
    method: "POST",
    path: `${photos}/objects/copy-prefix`,
    body,
  });
  return [
    { action: "object.upload", method: "POST", path: object, body: "content", ...inPhotos, key },
    {
      action: "object.folder",
      method: "POST",
      path: `${photos}/objects/folder`,
      body: { key: "f/" },
      ...inPhotos,
      key: "f/",
    },
    {
      action: "object.copy",
      ...copy({ src_key: key, dst_key: "f/b" }),
      ...inPhotos,
      detail: { dst_key: "f/b" },
    },
    {
      action: "object.transfer",
      ...copy({ src_key: key, dst_key: "c", dst_backend: "other" }),
      ...inPhotos,
      detail: { dst_backend: "other", dst_bucket: "photos", dst_key: "c" },
    },
    {
      action: "object.copy_prefix",
      ...copyPrefix({ src_prefix: "f/", dst_prefix: "g/" }),
      ...inPhotos,
      key: "f/",
      detail: { dst_prefix: "g/" },
    },
    {
      action: "object.transfer_prefix",
      ...copyPrefix({ src_prefix: "f/", dst_prefix: "g/", dst_backend: "other" }),
      ...inPhotos,
      key: "f/",
      detail: { dst_backend: "other" },
    },
    {
      action: "object.bulk_delete",
      method: "POST",
      path: `${photos}/objects/delete`,
      body: { keys: [{ key: "g/b" }, { key: "no such key" }] },
      ...inPhotos,
      detail: { keys: ["g/b", "no such key"] },
    },
    {
      action: "object.delete_prefix",
      method: "POST",
      path: `${photos}/objects/delete-prefix`,
      body: { prefix: "g/" },
      ...inPhotos,
      key: "g/",
    },
    {
      action: "multipart.create",
      method: "POST",
      path: `${photos}/multipart?key=large`,
      body: {},
      ...inPhotos,
      key: "large",
    },
    { action: "object.delete", method: "DELETE", path: object, ...inPhotos, key },
  ];
}

function administration(upstream: Upstream): Recorded[] {
  const backend = {
    endpoint: upstream.endpoint,
    region: upstream.region,
    path_style: true,
    access_key: upstream.accessKey,
    secret_key: upstream.secretKey,
  };
  const path = "/api/admin/backends";
  const credentials = "/api/admin/s3-credentials";
  return [
    { action: "backend.test", method: "POST", path: `${path}/test`, body: backend },
    { action: "backend.create", method: "POST", path, body: { id: "new", ...backend }, backend: "new" },
    { action: "backend.update", method: "PATCH", path: `${path}/new`, body: { name: "New" }, backend: "new" },
    { action: "backend.delete", method: "DELETE", path: `${path}/new`, backend: "new" },
    {
      action: "s3_credential.create",
      method: "POST",
      path: credentials,
      body: { backend_id: "main", buckets: ["photos"] },
      backend: "main",
    },
    {
      action: "s3_anonymous.upsert",
      method: "POST",
      path: "/api/admin/s3-anonymous",
      body: { backend_id: "main", bucket: "photos", mode: "ReadOnly", per_source_ip_rps: 5 },
      ...inPhotos,
    },
    {
      action: "s3_anonymous.delete",
      method: "DELETE",
      path: "/api/admin/s3-anonymous/main/photos",
      ...inPhotos,
    },
    { action: "auth.logout", method: "POST", path: "/auth/logout", isForAll: true },
  ];
}

function send(client: Client, { method, path, body }: Recorded): Promise<Response> {
  if (typeof body === "string") {
    return client.request(method, path, { body, headers: { "content-type": "text/plain" } });
  }
  return client.request(method, path, body === undefined ? {} : { json: body });
}

// deno-lint-ignore no-explicit-any
async function newestRow(admin: Client, action: string): Promise<any> {
  return (await json(admin.get(`/api/admin/audit?limit=1&action=${action}`))).events[0];
}

upstreamTest(
  ["minio"],
  "each action has its record, whether it is done or refused",
  (upstream) =>
    withUpstream("versitygw", (other) => {
      const options = {
        users: { admin: "admin", second: "admin", reader: "readonly" } as const,
        backends: [{ id: "main", upstream }, { id: "other", upstream: other }],
        config: { s3_proxy: { enabled: true, listen: "127.0.0.1:0" } },
      };
      return withProgram(options, async (program) => {
        const [admin, actor, reader] = await Promise.all(
          ["admin", "second", "reader"].map((name) => program.signedIn(name)),
        );
        const idOf = async (client: Client) => (await json(client.get("/api/me"))).id;
        const [actorId, readerId] = await Promise.all([idOf(actor), idOf(reader)]);
        for (const request of [...bucketRequests(), ...objectRequests(), ...administration(upstream)]) {
          const { action, backend = "", bucket = "", key = "", detail = {}, isForAll } = request;
          if (!isForAll) {
            assert.equal(await status(send(reader, request)), 403, action);
            const refused = await newestRow(admin, action.replace("transfer", "copy"));
            assert.deepEqual([refused.user_id, refused.status, refused.detail.code], [
              readerId,
              "error",
              "forbidden",
            ]);
            assert.equal(refused.ip, reader.ip);
          }
          const answer = await send(actor, request);
          const text = await answer.text();
          assert.ok(answer.status < 300, `${action}: ${answer.status} ${text}`);
          const row = await newestRow(admin, action);
          assert.deepEqual(
            [row.action, row.user_id, row.backend, row.bucket, row.key, row.status],
            [action, actorId, backend, bucket, key, "ok"],
          );
          assert.equal(row.request_id, answer.headers.get("x-request-id"), action);
          for (const [name, value] of Object.entries(detail)) {
            assert.deepEqual(row.detail[name], value, action);
          }
          assert.ok(Math.abs(Date.parse(row.timestamp) - Date.now()) < 60_000);
          assert.ok(!JSON.stringify(row).includes(upstream.secretKey), action);
        }
      });
    }),
);
