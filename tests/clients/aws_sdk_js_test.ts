import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Agent } from "node:http";
import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { refusalOf } from "../support/s3_client.ts";
import { awsSdkClient } from "./clients.ts";
import {
  assertKeys,
  bucket,
  chunksOf,
  clientTest,
  digest,
  hostName,
  largeSize,
  oddKeys,
  otherBucket,
  partCount,
  randomBytes,
  slashKeys,
  stored,
  type Workstation,
} from "./support.ts";

const variants = [{}, { tls: true }, { upstream: "versitygw" }] as const;
const checksumAlgorithms = ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"] as const;

for (const where of variants) {
  clientTest(
    "aws-sdk-js writes, reads and deletes objects",
    { skip: false, ...where },
    async (workstation) => {
      using s3 = awsSdkClient(workstation);
      const body = randomBytes(1000);
      await s3.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: "a.bin",
          Body: body,
          ContentType: "image/png",
          Metadata: { colour: "blue" },
        }),
      );
      const { metadata, contentType, digest: digestOfStored } = await stored(workstation, "a.bin");
      assert.deepEqual([metadata, contentType, digestOfStored], [
        { colour: "blue" },
        "image/png",
        await digest(body),
      ]);
      assert.equal(await digest(await read(s3, "a.bin")), await digest(body));
      const range = await s3.send(
        new GetObjectCommand({ Bucket: bucket, Key: "a.bin", Range: "bytes=10-19" }),
      );
      assert.deepEqual(await range.Body?.transformToByteArray(), body.slice(10, 20));
      const { Buckets } = await s3.send(new ListBucketsCommand());
      assert.deepEqual(Buckets?.map(({ Name }) => Name), [bucket, otherBucket]);

      // A body of a length that is told apart: it travels in chunks, with its checksum behind it.
      const stream = Readable.from([Buffer.from(body.subarray(0, 400)), Buffer.from(body.subarray(400))]);
      await s3.send(
        new PutObjectCommand({ Bucket: bucket, Key: "stream", Body: stream, ContentLength: body.length }),
      );
      assert.equal((await stored(workstation, "stream")).digest, await digest(body));
      await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: "a.bin" }));
      assert.equal(await refusalOf(read(s3, "a.bin")), "404 NoSuchKey");
      const outside = new GetObjectCommand({ Bucket: "not-in-scope", Key: "a.bin" });
      assert.equal(await refusalOf(s3.send(outside)), "403 AccessDenied");
      const Delete = { Objects: [{ Key: "stream" }] };
      await s3.send(new DeleteObjectsCommand({ Bucket: bucket, Delete }));
      await assertKeys(workstation, []);
    },
  );

  clientTest("aws-sdk-js sends and checks every checksum", { skip: false, ...where }, async (workstation) => {
    using s3 = awsSdkClient(workstation);
    const body = randomBytes(70_000);
    for (const algorithm of checksumAlgorithms) {
      const target = { Bucket: bucket, Key: algorithm };
      const member = `Checksum${algorithm}` as const;
      for (const Body of [body, Readable.from([Buffer.from(body)])]) {
        const put = await s3.send(
          new PutObjectCommand({ ...target, Body, ContentLength: body.length, ChecksumAlgorithm: algorithm }),
        );
        const got = await s3.send(new GetObjectCommand({ ...target, ChecksumMode: "ENABLED" }));
        assert.equal(got[member], put[member], algorithm);
        assert.equal(await digest(await got.Body?.transformToByteArray() ?? ""), await digest(body));
      }
    }
  });

  clientTest("aws-sdk-js uploads in parts", { skip: false, ...where }, async (workstation) => {
    using s3 = awsSdkClient(workstation);
    const body = randomBytes(largeSize);
    const bodies = { bytes: body, stream: Readable.from(chunksOf(body)) };
    for (const [Key, Body] of Object.entries(bodies)) {
      const { Location } = await new Upload({ client: s3, params: { Bucket: bucket, Key, Body } }).done();
      assert.equal(new URL(Location ?? "").host.split(":")[0], "127.0.0.1");
      assert.equal((await stored(workstation, Key)).digest, await digest(body));
      assert.equal(await partCount(workstation, Key), 3);
      assert.equal(await digest(await read(s3, Key)), await digest(body));
    }
    const target = { Bucket: bucket, Key: "aborted" };
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand(target));
    await s3.send(new AbortMultipartUploadCommand({ ...target, UploadId }));
    assert.equal(await refusalOf(s3.send(new ListPartsCommand({ ...target, UploadId }))), "404 NoSuchUpload");
  });
}

clientTest("aws-sdk-js presigns GET and PUT", { skip: false }, async (workstation) => {
  using s3 = awsSdkClient(workstation);
  const target = { Bucket: bucket, Key: "presigned key+1" };
  const body = randomBytes(5000);
  const put = new PutObjectCommand({ ...target, ContentType: "image/png", Metadata: { colour: "blue" } });
  const options = { expiresIn: 7 * 24 * 60 * 60 };
  const uploaded = await fetch(await getSignedUrl(s3, put, options), {
    method: "PUT",
    body,
    headers: { "content-type": "image/png" },
  });
  assert.equal(uploaded.status, 200, await uploaded.text());
  const { metadata, contentType } = await stored(workstation, target.Key);
  assert.deepEqual([metadata, contentType], [{ colour: "blue" }, "image/png"]);
  const answer = await fetch(await getSignedUrl(s3, new GetObjectCommand(target), options));
  assert.equal(await digest(await answer.bytes()), await digest(body));
  const head = await fetch(await getSignedUrl(s3, new HeadObjectCommand(target), options), {
    method: "HEAD",
  });
  assert.equal(head.headers.get("content-length"), "5000");
});

clientTest("aws-sdk-js puts the bucket into the host name", { skip: false }, async (workstation) => {
  const { port } = new URL(workstation.endpoint.url);
  const names = new Set<string>();
  const lookup: LookupFunction = (name, _options, callback) => {
    names.add(name);
    callback(null, [{ address: "127.0.0.1", family: 4 }]);
  };
  using s3 = awsSdkClient({ ...workstation, url: `http://${hostName}:${port}` }, new Agent({ lookup }));
  const target = { Bucket: bucket, Key: "a folder/b+c%.txt" };
  await s3.send(new PutObjectCommand({ ...target, Body: "text" }));
  assert.equal(new TextDecoder().decode(await read(s3, target.Key)), "text");
  const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: "a folder/" }));
  assert.deepEqual(Contents?.map(({ Key }) => Key), [target.Key]);
  assert.deepEqual([...names], [`${bucket}.${hostName}`]);
});

clientTest("aws-sdk-js keeps odd keys", { skip: false }, (workstation) => keepKeys(workstation, oddKeys));

clientTest(
  "aws-sdk-js keeps empty segments of keys",
  { skip: false, upstream: "embedded" },
  (workstation) => keepKeys(workstation, slashKeys),
);

async function keepKeys(workstation: Workstation, keys: readonly string[]): Promise<void> {
  using s3 = awsSdkClient(workstation);
  for (const Key of keys) {
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key }));
    const CopySource = `${bucket}/${encodeURIComponent(Key)}`;
    await s3.send(new CopyObjectCommand({ Bucket: otherBucket, Key, CopySource }));
    for (const from of [bucket, otherBucket]) {
      assert.equal(new TextDecoder().decode(await read(s3, Key, from)), Key);
    }
    const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: Key }));
    assert.deepEqual(Contents?.map((object) => object.Key), [Key]);
  }
  await assertKeys(workstation, keys);
  const Delete = { Objects: keys.map((Key) => ({ Key })) };
  const { Deleted } = await s3.send(new DeleteObjectsCommand({ Bucket: bucket, Delete }));
  assert.deepEqual(Deleted?.map(({ Key }) => Key).sort(), [...keys].sort());
  await assertKeys(workstation, []);
}

async function read(s3: S3Client, key: string, from = bucket): Promise<Uint8Array> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: from, Key: key }));
  return await Body?.transformToByteArray() ?? new Uint8Array();
}
