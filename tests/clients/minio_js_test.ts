import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { CopyConditions } from "minio";
import { minioClient } from "./clients.ts";
import {
  assertKeys,
  bucket,
  chunksOf,
  clientTest,
  digest,
  largeSize,
  oddKeys,
  otherBucket,
  partCount,
  randomBytes,
  slashKeys,
  stored,
  type Workstation,
} from "./support.ts";

for (const tls of [false, true]) {
  clientTest(
    "minio-js uploads and downloads, in one part and in several",
    { skip: false, tls },
    async (workstation) => {
      const minio = minioClient(workstation);
      const small = Buffer.from(randomBytes(1000));
      const large = Buffer.from(randomBytes(largeSize));
      await minio.putObject(bucket, "small.bin", small, small.length, { "X-Amz-Meta-Colour": "blue" });
      await minio.putObject(bucket, "large.bin", Readable.from(chunksOf(large)), large.length);
      assert.equal((await stored(workstation, "small.bin")).metadata.colour, "blue");
      assert.equal(await partCount(workstation, "large.bin"), 3);
      for (const [key, body] of [["small.bin", small], ["large.bin", large]] as const) {
        assert.equal((await stored(workstation, key)).digest, await digest(body));
        assert.equal(await digest(await buffer(await minio.getObject(bucket, key))), await digest(body));
      }
      const { size, metaData } = await minio.statObject(bucket, "small.bin");
      assert.deepEqual([size, metaData.colour], [1000, "blue"]);
      const part = await buffer(await minio.getPartialObject(bucket, "small.bin", 10, 10));
      assert.deepEqual(part, small.subarray(10, 20));
      assert.deepEqual((await minio.listBuckets()).map(({ name }) => name), [bucket, otherBucket]);
      assert.equal(await minio.bucketExists(bucket), true);
    },
  );
}

clientTest("minio-js presigns GET, PUT and POST", { skip: false }, async (workstation) => {
  const minio = minioClient(workstation);
  const key = "presigned key+1";
  const body = randomBytes(5000);
  const put = await fetch(await minio.presignedPutObject(bucket, key, 3600), { method: "PUT", body });
  assert.equal(put.status, 200, await put.text());
  const got = await fetch(await minio.presignedGetObject(bucket, key, 3600));
  assert.equal(await digest(await got.bytes()), await digest(body));

  const policy = minio.newPostPolicy();
  policy.setBucket(bucket);
  policy.setKeyStartsWith("posted/");
  policy.setContentLengthRange(1, 10_000);
  policy.setExpires(new Date(Date.now() + 60_000));
  const { postURL, formData } = await minio.presignedPostPolicy(policy);
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...formData, key: "posted/a.bin" })) form.append(name, value);
  form.append("file", new Blob([body]));
  const posted = await fetch(postURL, { method: "POST", body: form });
  assert.ok(posted.ok, `${posted.status} ${await posted.text()}`);
  assert.equal((await stored(workstation, "posted/a.bin")).digest, await digest(body));
});

clientTest("minio-js keeps odd keys and deletes in bulk", { skip: false }, (workstation) => {
  return keepKeys(workstation, oddKeys);
});

clientTest("minio-js keeps empty segments of keys", { skip: false, upstream: "embedded" }, (workstation) => {
  return keepKeys(workstation, slashKeys);
});

async function keepKeys(workstation: Workstation, keys: readonly string[]): Promise<void> {
  const minio = minioClient(workstation);
  for (const key of keys) {
    await minio.putObject(bucket, key, key);
    assert.equal((await buffer(await minio.getObject(bucket, key))).toString(), key);
    await minio.copyObject(otherBucket, key, `/${bucket}/${key}`, new CopyConditions());
    assert.equal((await buffer(await minio.getObject(otherBucket, key))).toString(), key);
  }
  const listed: string[] = [];
  for await (const { name } of minio.listObjectsV2(bucket, "", true)) listed.push(name);
  assert.deepEqual(listed.sort(), [...keys].sort());
  await minio.removeObject(bucket, keys[0]);
  await assertKeys(workstation, keys.slice(1));
  await minio.removeObjects(bucket, keys.slice(1));
  await assertKeys(workstation, []);
}
