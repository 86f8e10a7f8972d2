import assert from "node:assert/strict";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { bucketName, type TestBucket, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { s3Client } from "../support/s3_client.ts";
import { type Upstream, upstreamTest } from "../support/upstreams.ts";

const mebibyte = 1 << 20;

/** Sets the quota of the bucket. */
function setQuota({ client, bucket }: TestBucket, hardBytes: number, softBytes = 0) {
  return json(client.put(`${bucket}/quota`, { json: { soft_bytes: softBytes, hard_bytes: hardBytes } }));
}

async function usageBytes({ client, bucket }: TestBucket): Promise<number> {
  return (await json(client.get(`${bucket}/quota`))).usage_bytes;
}

function form(key: string, content: Uint8Array<ArrayBuffer>): FormData {
  const data = new FormData();
  data.set("key", key);
  data.set("file", new Blob([content]), "chosen.bin");
  return data;
}

async function storedBytes(upstream: Upstream): Promise<number> {
  using direct = s3Client(upstream);
  const { Contents = [] } = await direct.send(new ListObjectsV2Command({ Bucket: bucketName }));
  return Contents.reduce((total, { Size = 0 }) => total + Size, 0);
}

upstreamTest(["embedded", "minio"], "parallel uploads never pass the hard cap", async (upstream) => {
  await withBucket(upstream, async (bucket) => {
    const { client, object } = bucket;
    await setQuota(bucket, 10 * mebibyte);
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const body = new Uint8Array(mebibyte);
        const path = index % 2 === 0 ? object(`object-${index}`) : `${bucket.bucket}/object`;
        const answer = await client.post(path, {
          body: index % 2 === 0 ? body : form(`object-${index}`, body),
        });
        if (answer.status !== 507) return await status(answer);
        assert.equal(await refusal(answer), "507 quota_exceeded");
        return 507;
      }),
    );
    assert.equal(answers.filter((code) => code === 201).length, 10);
    assert.equal(answers.filter((code) => code === 507).length, 30);
    assert.equal(await storedBytes(upstream), 10 * mebibyte);
    assert.equal(await usageBytes(bucket), 10 * mebibyte);
    const { object_count } = await json(client.get(`${bucket.bucket}/quota`));
    assert.equal(object_count, 10);
  });
});

upstreamTest(
  ["embedded", "minio"],
  "an object that replaces another counts by the difference, and a deletion makes room",
  async (upstream) => {
    await withBucket(upstream, async (bucket) => {
      const { client, object, upload } = bucket;
      await upload("before", new Uint8Array(1000));
      await setQuota(bucket, 10_000);
      await upload("a", new Uint8Array(6000));
      assert.equal(await usageBytes(bucket), 7000);
      await upload("a", new Uint8Array(2000));
      assert.equal(await usageBytes(bucket), 3000);
      assert.equal(
        await refusal(client.post(object("b"), { body: new Uint8Array(7001) })),
        "507 quota_exceeded",
      );
      await upload("b", new Uint8Array(7000));
      assert.equal(await refusal(client.post(object("c"), { body: "x" })), "507 quota_exceeded");
      await upload("empty", "");
      assert.equal(await status(client.delete(object("b"))), 204);
      assert.equal(await usageBytes(bucket), 3000);
      const keys = [{ key: "a" }, { key: "a" }, { key: "before" }, { key: "missing" }];
      await json(client.post(`${bucket.bucket}/objects/delete`, { json: { keys } }));
      assert.equal(await usageBytes(bucket), 0);
      await upload("whole", new Uint8Array(10_000));
      const { object_count, usage_bytes } = await json(client.post(`${bucket.bucket}/quota/recompute`));
      assert.deepEqual([object_count, usage_bytes], [2, 10_000]);
    });
  },
);

upstreamTest(["embedded", "minio"], "an upload that fails gives its room back", async (upstream) => {
  await withBucket(upstream, async (bucket) => {
    const { client, object, upload } = bucket;
    await setQuota(bucket, 20 * mebibyte);
    const large = new Uint8Array(18 * mebibyte);
    for (let attempt = 0; attempt < 2; attempt++) {
      const misplaced = form("formed", large);
      misplaced.append("late", "field");
      assert.equal(
        await refusal(client.post(`${bucket.bucket}/object`, { body: misplaced })),
        "400 bad_request",
      );
      const path = `${bucket.bucket}/object?key=a&if_absent=true`;
      if (attempt === 1) assert.equal(await refusal(client.post(path, { body: large })), "409 object_exists");
      else await upload("a", "x");
    }
    assert.equal(await usageBytes(bucket), 1);
    const tooLarge = form("formed", new Uint8Array(20 * mebibyte));
    assert.equal(
      await refusal(client.post(`${bucket.bucket}/object`, { body: tooLarge })),
      "507 quota_exceeded",
    );
    assert.equal(await status(client.get(object("formed"))), 404);
    await upload("b", large);
    assert.equal(await usageBytes(bucket), 18 * mebibyte + 1);
    assert.equal(await storedBytes(upstream), 18 * mebibyte + 1);
  });
});
