import assert from "node:assert/strict";
import { type TestBucket, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { partBytes, pattern, Upload } from "./upload.ts";

const content = pattern(partBytes);

async function usageBytes({ client, bucket }: TestBucket): Promise<number> {
  return (await json(client.get(`${bucket}/quota`))).usage_bytes;
}

upstreamTest(["embedded", "minio", "versitygw"], "parts take room under the quota", async (upstream) => {
  await withBucket(upstream, async (bucket) => {
    const { client } = bucket;
    const limits = { soft_bytes: 0, hard_bytes: 4 * partBytes };
    await json(client.put(`${bucket.bucket}/quota`, { json: limits }));
    const upload = await Upload.begin(client, bucket.bucket, "a");
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const answer = await upload.put(index + 1, content);
        if (answer.status !== 507) return { number: index + 1, part: await json(answer) };
        assert.equal(await refusal(answer), "507 quota_exceeded");
      }),
    );
    const sent = answers.filter((answer) => answer !== undefined);
    assert.equal(sent.length, 4, "of ten at once as many as fit");
    assert.equal((await upload.list()).length, 4, "nothing of the others is stored");
    assert.equal(await usageBytes(bucket), 4 * partBytes);
    const other = await Upload.begin(client, bucket.bucket, "b");
    assert.equal(await refusal(other.put(1, "x")), "507 quota_exceeded");
    assert.equal(await refusal(client.post(bucket.object("c"), { body: "x" })), "507 quota_exceeded");

    // In place of an earlier part, only the difference counts.
    await json(upload.put(sent[0].number, "x"));
    assert.equal(await usageBytes(bucket), 3 * partBytes + 1);
    await json(upload.put(sent[0].number, content));
    const wrong = { headers: { "content-md5": "1B2M2Y8AsgTpgAmY7PhCfg==" } };
    assert.equal(await refusal(upload.put(sent[0].number, "x", wrong)), "400 bad_request");
    assert.equal(await usageBytes(bucket), 4 * partBytes, "a refused part changes nothing");

    // Parts that are left out are gone with the upload.
    const parts = sent.slice(0, 2).map(({ part: { part_number, etag } }) => ({ part_number, etag }));
    assert.equal(await refusal(upload.complete([...parts].reverse())), "400 bad_request");
    assert.equal(await usageBytes(bucket), 4 * partBytes);
    assert.equal((await json(upload.complete(parts))).size, 2 * partBytes);
    assert.equal(await usageBytes(bucket), 2 * partBytes);

    await json(other.put(1, content));
    assert.equal(await usageBytes(bucket), 3 * partBytes);
    assert.equal(await status(other.abort()), 204);
    assert.equal(await usageBytes(bucket), 2 * partBytes);

    // What it replaces makes room only when it is complete.
    const again = await Upload.begin(client, bucket.bucket, "a");
    const part = await again.send(1, "small");
    assert.equal(await usageBytes(bucket), 2 * partBytes + 5);
    await json(again.complete([part]));
    assert.equal(await usageBytes(bucket), 5);
    const recounted = await json(client.post(`${bucket.bucket}/quota/recompute`));
    assert.equal(recounted.usage_bytes, 5);
  });
});
