import assert from "node:assert/strict";
import { withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { upstreamTest, withUpstream } from "../support/upstreams.ts";

upstreamTest(
  ["embedded", "minio", "versitygw"],
  "buckets are created, listed and deleted",
  async (upstream) => {
    await withBucket(upstream, async ({ client, backend, bucket, object, upload }) => {
      const list = `${backend}/buckets`;
      await json(client.post(list, { json: { name: "another.bucket" } }), 201);
      const { buckets } = await json(client.get(list));
      assert.deepEqual(buckets.map(({ name }: { name: string }) => name), ["another.bucket", "test-bucket"]);
      assert.ok(Date.now() - Date.parse(buckets[0].created_at) < 60_000);
      assert.equal(await refusal(client.post(list, { json: { name: "another.bucket" } })), "409 conflict");

      await upload("file", "content");
      assert.equal(await refusal(client.delete(bucket)), "409 bucket_not_empty");
      assert.equal(await status(client.delete(object("file"))), 204);
      assert.equal(await status(client.delete(bucket)), 204);
      assert.equal(await refusal(client.delete(bucket)), "404 not_found");
      for (const name of ["nothing", "a".repeat(200), "No_New_Name"]) {
        assert.equal(await refusal(client.get(`${list}/${name}/size-tracking`)), "404 not_found", name);
      }
    });
  },
);

Deno.test("a bucket's size tracking is kept until the bucket is deleted", async () => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async ({ client, backend, bucket }) => {
      const tracking = `${bucket}/size-tracking`;
      assert.deepEqual(await json(client.get(tracking)), { enabled: false });
      assert.deepEqual(await json(client.put(tracking, { json: { enabled: true } })), { enabled: true });
      const { buckets: [listed] } = await json(client.get(`${backend}/buckets`));
      assert.equal(listed.size_tracked, true);
      assert.equal(await refusal(client.put(tracking, { json: { enabled: "yes" } })), "400 bad_request");
      assert.equal(await refusal(client.get(`${backend}/buckets/nothing/size-tracking`)), "404 not_found");
      assert.equal(await status(client.delete(bucket)), 204);
      await json(client.post(`${backend}/buckets`, { json: { name: "test-bucket" } }), 201);
      assert.deepEqual(await json(client.get(tracking)), { enabled: false });
    }));
});

Deno.test("bad bucket names and missing rights are refused", async () => {
  await withUpstream(
    "embedded",
    (upstream) =>
      withBucket(upstream, async ({ program, client, backend, bucket }) => {
        const list = `${backend}/buckets`;
        for (const name of ["", "ab", "Upper", "a_b", "192.168.0.1", "a..b"]) {
          assert.equal(await refusal(client.post(list, { json: { name } })), "400 invalid_bucket_name", name);
        }
        assert.equal(await refusal(client.post(list, { json: {} })), "400 bad_request");
        assert.equal(await refusal(client.get(`${list}/%2e%2e%2fx/objects`)), "400 invalid_bucket_name");
        assert.equal(await refusal(client.get("/api/backends/nowhere/buckets")), "404 not_found");
        assert.equal((await json(client.get(list))).buckets.length, 1);

        const writer = await program.signedIn("writer");
        assert.equal(await refusal(writer.post(list, { json: { name: "new-bucket" } })), "403 forbidden");
        assert.equal(await refusal(writer.delete(bucket)), "403 forbidden");
        await json(writer.put(`${bucket}/size-tracking`, { json: { enabled: true } }));
        const reader = await program.signedIn("reader");
        assert.equal((await json(reader.get(list))).buckets.length, 1);
        assert.equal(
          await refusal(reader.put(`${bucket}/size-tracking`, { json: { enabled: true } })),
          "403 forbidden",
        );
      }, { users: { admin: "admin", writer: "user", reader: "readonly" } }),
  );
});
