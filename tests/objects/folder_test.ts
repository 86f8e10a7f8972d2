import assert from "node:assert/strict";
import { bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { enableVersioning } from "../support/versions.ts";

upstreamTest(["minio", "versitygw"], "folders of all names are made once", async (upstream) => {
  await withBucket(upstream, async ({ client, bucket, object, upload }) => {
    const create = (key: string) => client.post(`${bucket}/objects/folder`, { json: { key } });
    const list = async (prefix = "") =>
      (await json(client.get(`${bucket}/objects?prefix=${encodeURIComponent(prefix)}`))).common_prefixes;
    const folders = [
      "a/",
      "a/b/c/",
      "ünï cöde +%&?#/",
      "日本語/😀/",
      " blank /",
      "tab\tline\n/",
      "quote\"'<>&/",
      "...a/",
    ];
    for (const key of folders) {
      const stored = await json(create(key), 201);
      assert.deepEqual([stored.key, stored.size], [key, 0]);
      assert.equal(await refusal(create(key)), "409 object_exists", key);
    }
    assert.deepEqual(await list("a/"), ["a/b/"]);
    assert.equal((await list()).length, 7);
    // A folder is there as soon as something is in it.
    await upload("implied/file", "x");
    assert.equal(await refusal(create("implied/")), "409 object_exists");
    for (const key of ["", "file", "/../", "../", "a/../", "./", "a\0/", "x".repeat(1024) + "/"]) {
      assert.equal(await refusal(create(key)), "400 invalid_key", key);
    }
    assert.match(await refusal(create("double//")), /^400 invalid_key$/);
    assert.match(await refusal(create("/")), /^400 invalid_key$/);
    for (const key of folders) assert.equal(await status(client.delete(object(key))), 204);
    assert.deepEqual(await list(), ["implied/"]);
  });
});

upstreamTest(
  ["minio"],
  "a folder that was deleted can be made again in a full, versioned bucket",
  async (upstream) => {
    await withBucket(upstream, async ({ program, client, bucket, object, upload }) => {
      await enableVersioning(upstream);
      await json(client.put(`${bucket}/quota`, { json: { soft_bytes: 0, hard_bytes: 10 } }));
      await upload("full", "x".repeat(10));
      const create = (key: string) => client.post(`${bucket}/objects/folder`, { json: { key } });
      for (let round = 0; round < 2; round++) {
        await json(create("folder/"), 201);
        assert.equal(await refusal(create("folder/")), "409 object_exists");
        assert.equal(await status(client.delete(object("folder/"))), 204);
      }
      const { usage_bytes, object_count } = await json(client.get(`${bucket}/quota`));
      assert.deepEqual([usage_bytes, object_count], [10, 1]);
      const reader = await program.signedIn("reader");
      const path = `${bucket}/objects/folder`;
      assert.equal(await refusal(reader.post(path, { json: { key: "b/" } })), "403 forbidden");
      assert.equal(
        await refusal(client.post(path, { json: { key: "b/" }, withoutCsrf: true })),
        "403 csrf_invalid",
      );
      await json(create("b/"), 201);
      const elsewhere = path.replace(bucketName, "no-such-bucket");
      assert.equal(await refusal(client.post(elsewhere, { json: { key: "b/" } })), "404 not_found");
      const { events } = await json(client.get("/api/admin/audit?action=object.folder&status=ok"));
      assert.deepEqual(events.map(({ key }: { key: string }) => key), ["b/", "folder/", "folder/"]);
    }, { users: { admin: "admin", reader: "readonly" } });
  },
);
