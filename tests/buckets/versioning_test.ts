import assert from "node:assert/strict";
import { GetBucketVersioningCommand, GetObjectLockConfigurationCommand } from "@aws-sdk/client-s3";
import { backendId, bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { s3Client } from "../support/s3_client.ts";
import { upstreamTest, withUpstream } from "../support/upstreams.ts";

const users = { admin: "admin", writer: "user", reader: "readonly" } as const;

upstreamTest(["minio", "versitygw"], "versioning is enabled and suspended", async (upstream) => {
  await withBucket(upstream, async ({ program, client, backend, bucket, object, upload }) => {
    const path = `${bucket}/versioning`;
    using s3 = s3Client(upstream);
    const stored = async () => (await s3.send(new GetBucketVersioningCommand({ Bucket: bucketName }))).Status;
    const put = (enabled: unknown, to = path) => client.put(to, { json: { enabled } });

    assert.deepEqual(await json(client.get(path)), { enabled: false, status: "off" });
    assert.deepEqual(await json(put(false)), { enabled: false, status: "off" });
    assert.equal(await stored(), undefined);
    for (const _ of [1, 2]) {
      assert.deepEqual(await json(put(true)), { enabled: true, status: "enabled" });
      assert.equal(await stored(), "Enabled");
    }
    assert.deepEqual(await json(put(false)), { enabled: false, status: "suspended" });
    assert.equal(await stored(), "Suspended");
    assert.deepEqual(await json(client.get(path)), { enabled: false, status: "suspended" });

    for (const wrong of ["yes", 1, null, undefined]) {
      assert.equal(await refusal(put(wrong)), "400 bad_request");
    }
    const missing = `${backend}/buckets/missing-bucket/versioning`;
    assert.equal(await refusal(client.get(missing)), "404 not_found");
    assert.equal(await refusal(put(true, missing)), "404 not_found");

    await upload("old", "content");
    assert.equal(await status(client.delete(object("old"))), 204);
    assert.equal(await refusal(client.delete(bucket)), "409 bucket_not_empty");

    await json(client.post(`${backend}/buckets`, { json: { name: "locked", object_lock: true } }), 201);
    const lock = await s3.send(new GetObjectLockConfigurationCommand({ Bucket: "locked" }));
    assert.equal(lock.ObjectLockConfiguration?.ObjectLockEnabled, "Enabled");
    const locked = `${backend}/buckets/locked/versioning`;
    assert.deepEqual(await json(client.get(locked)), { enabled: true, status: "enabled" });
    assert.equal(await refusal(put(false, locked)), "409 conflict");

    const reader = await program.signedIn("reader");
    assert.equal((await json(reader.get(path))).status, "suspended");
    assert.equal(await refusal(reader.put(path, { json: { enabled: true } })), "403 forbidden");
    const writer = await program.signedIn("writer");
    await json(writer.put(path, { json: { enabled: true } }));
    assert.equal(await refusal(program.client().get(path)), "401 unauthorized");

    const { events } = await json(client.get("/api/admin/audit?action=bucket.versioning.set"));
    const seen = events.map(({ status, bucket, detail }: Record<string, { enabled?: boolean }>) =>
      `${status} ${bucket} ${detail.enabled}`
    );
    assert.deepEqual(seen.slice(0, 4), [
      `ok ${bucketName} true`,
      `error ${bucketName} undefined`,
      "error locked false",
      "error missing-bucket true",
    ]);
  }, { users });
});

Deno.test("a backend that has none of the settings says so, and is known for it", async () => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async ({ client, bucket }) => {
      const rule = { id: "a", enabled: true, expiration_days: 1 };
      const cors = { allowed_origins: ["*"], allowed_methods: ["GET"] };
      const policy = { Statement: [] };
      const bodies = {
        versioning: { enabled: true },
        cors: { rules: [cors] },
        lifecycle: { rules: [rule] },
      };
      for (const [name, body] of Object.entries(bodies)) {
        assert.equal(await refusal(client.get(`${bucket}/${name}`)), "400 not_supported", name);
        assert.equal(
          await refusal(client.put(`${bucket}/${name}`, { json: body })),
          "400 not_supported",
          name,
        );
      }
      assert.equal(await refusal(client.put(`${bucket}/policy`, { json: { policy } })), "400 invalid_policy");
      assert.equal(await refusal(client.delete(`${bucket}/policy`)), "400 not_supported");
      const { backends } = await json(client.get("/api/backends"));
      const { capabilities } = backends.find(({ id }: { id: string }) => id === backendId);
      for (const name of [...Object.keys(bodies), "policy"]) assert.equal(capabilities[name], false, name);
    }));
});
