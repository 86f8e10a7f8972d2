import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  DeleteObjectTaggingCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  PutObjectTaggingCommand,
} from "@aws-sdk/client-s3";
import { refusalOf, s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

// See embedded_s3_test.ts for why MinIO is here.
const kinds = ["embedded", "minio"] as const;
const Bucket = "conformance";
const mebibyte = 1024 ** 2;

upstreamTest(kinds, "an object keeps its bytes, headers, metadata and tags", async (upstream) => {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket }));
  const sent = {
    CacheControl: "max-age=60",
    ContentDisposition: 'attachment; filename="a.txt"',
    ContentEncoding: "identity",
    ContentLanguage: "de",
    ContentType: "text/plain; charset=utf-8",
    Metadata: { colour: "blue", origin: "a, b" },
  };
  const Body = "Grüße";
  const put = await s3.send(
    new PutObjectCommand({ Bucket, Key: "a", Body, Tagging: "x=1&y=a%20b", ...sent }),
  );
  const etag = `"${createHash("md5").update(Body).digest("hex")}"`;
  assert.equal(put.ETag, etag);
  const got = await s3.send(new GetObjectCommand({ Bucket, Key: "a" }));
  assert.equal(await got.Body?.transformToString(), Body);
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: "a" }));
  for (const answer of [got, head]) {
    for (const [name, value] of Object.entries(sent)) {
      assert.deepEqual(answer[name as keyof typeof answer], value, name);
    }
    assert.equal(answer.ETag, etag);
    assert.equal(answer.ContentLength, 7);
    assert.ok(Date.now() - Number(answer.LastModified) < 60_000);
  }
  const replaced = new GetObjectCommand({ Bucket, Key: "a", ResponseContentType: "text/html" });
  assert.equal((await s3.send(replaced)).ContentType, "text/html");
  const tags = await s3.send(new GetObjectTaggingCommand({ Bucket, Key: "a" }));
  assert.deepEqual(tags.TagSet, [{ Key: "x", Value: "1" }, { Key: "y", Value: "a b" }]);
  await s3.send(
    new PutObjectTaggingCommand({ Bucket, Key: "a", Tagging: { TagSet: [{ Key: "<&>", Value: " " }] } }),
  )
    .catch((error) => assert.equal(error.name, "InvalidTag"));
  await s3.send(
    new PutObjectTaggingCommand({ Bucket, Key: "a", Tagging: { TagSet: [{ Key: "z", Value: "" }] } }),
  );
  assert.deepEqual((await s3.send(new GetObjectTaggingCommand({ Bucket, Key: "a" }))).TagSet, [{
    Key: "z",
    Value: "",
  }]);
  await s3.send(new DeleteObjectTaggingCommand({ Bucket, Key: "a" }));
  assert.deepEqual((await s3.send(new GetObjectTaggingCommand({ Bucket, Key: "a" }))).TagSet ?? [], []);
  assert.equal(await refusalOf(s3.send(new GetObjectCommand({ Bucket, Key: "b" }))), "404 NoSuchKey");
  assert.equal(await refusalOf(s3.send(new HeadObjectCommand({ Bucket, Key: "b" }))), "404 NotFound");
});

upstreamTest(kinds, "ranges and conditions of reads", async (upstream) => {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket }));
  const { ETag } = await s3.send(new PutObjectCommand({ Bucket, Key: "a", Body: "0123456789" }));
  const read = async (conditions: Record<string, unknown>) => {
    const answer = await s3.send(new GetObjectCommand({ Bucket, Key: "a", ...conditions }));
    return `${answer.ContentRange ?? "all"}: ${await answer.Body?.transformToString()}`;
  };
  assert.equal(await read({ Range: "bytes=2-4" }), "bytes 2-4/10: 234");
  assert.equal(await read({ Range: "bytes=7-" }), "bytes 7-9/10: 789");
  assert.equal(await read({ Range: "bytes=-3" }), "bytes 7-9/10: 789");
  assert.equal(await read({ Range: "bytes=8-100" }), "bytes 8-9/10: 89");
  assert.equal(await refusalOf(read({ Range: "bytes=10-" })), "416 InvalidRange");
  assert.equal(await read({ IfMatch: ETag }), "all: 0123456789");
  assert.equal(await refusalOf(read({ IfMatch: '"other"' })), "412 PreconditionFailed");
  assert.match(await refusalOf(read({ IfNoneMatch: ETag })), /^304 /);
  assert.match(await refusalOf(read({ IfModifiedSince: new Date(Date.now() + 1000) })), /^304 /);
  assert.equal(await read({ IfModifiedSince: new Date(0) }), "all: 0123456789");
  assert.equal(await refusalOf(read({ IfUnmodifiedSince: new Date(0) })), "412 PreconditionFailed");
});

upstreamTest(kinds, "conditions of writes", async (upstream) => {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket }));
  const put = (Body: string, conditions: { IfMatch?: string; IfNoneMatch?: string }) =>
    s3.send(new PutObjectCommand({ Bucket, Key: "a", Body, ...conditions }));
  const { ETag } = await put("first", { IfNoneMatch: "*" });
  assert.equal(await refusalOf(put("second", { IfNoneMatch: "*" })), "412 PreconditionFailed");
  assert.equal(await refusalOf(put("second", { IfMatch: '"other"' })), "412 PreconditionFailed");
  await put("third", { IfMatch: ETag });
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: "a" }));
  assert.equal(await Body?.transformToString(), "third");
  const races = Array.from(
    { length: 10 },
    () => s3.send(new PutObjectCommand({ Bucket, Key: "race", Body: "x", IfNoneMatch: "*" })),
  );
  const outcomes = await Promise.allSettled(races);
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
});

upstreamTest(
  kinds,
  "bodies that are not what the client said are refused and stored nowhere",
  async (upstream) => {
    using s3 = s3Client(upstream);
    await s3.send(new CreateBucketCommand({ Bucket }));
    const put = (said: Record<string, string>) =>
      refusalOf(s3.send(new PutObjectCommand({ Bucket, Key: "a", Body: "body", ...said })));
    const md5 = createHash("md5").update("other").digest("base64");
    assert.equal(await put({ ContentMD5: md5 }), "400 BadDigest");
    assert.match(await put({ ContentMD5: "nonsense" }), /^400 /);
    assert.match(
      await put({ ChecksumSHA256: createHash("sha256").update("other").digest("base64") }),
      /^400 /,
    );
    assert.match(await put({ ChecksumCRC32: "AAAAAA==" }), /^400 /);
    assert.equal((await s3.send(new ListObjectsV2Command({ Bucket }))).KeyCount, 0);
  },
);

upstreamTest(kinds, "every checksum algorithm is verified and given back", async (upstream) => {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket }));
  // The check values of "123456789" in the catalogue of CRC algorithms at https://reveng.sourceforge.io/crc-catalogue/
  const Body = "123456789";
  const checksums = {
    ChecksumCRC32: "y/Q5Jg==",
    ChecksumCRC32C: "4waSgw==",
    ChecksumCRC64NVME: "rosUhgp5mIg=",
    ChecksumSHA1: createHash("sha1").update(Body).digest("base64"),
    ChecksumSHA256: createHash("sha256").update(Body).digest("base64"),
  };
  for (const [name, value] of Object.entries(checksums)) {
    await s3.send(new PutObjectCommand({ Bucket, Key: name, Body, [name]: value }));
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key: name, ChecksumMode: "ENABLED" }));
    assert.equal(head[name as keyof typeof checksums], value);
  }
});

upstreamTest(kinds, "a body of unknown hash is sent in chunks with a trailer", async (upstream) => {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket }));
  const bytes = new Uint8Array(3 * mebibyte + 5).map((_, index) => index % 251);
  const Body = Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]);
  await s3.send(new PutObjectCommand({ Bucket, Key: "stream", Body, ContentLength: bytes.length }));
  const got = await s3.send(new GetObjectCommand({ Bucket, Key: "stream" }));
  assert.deepEqual(await got.Body?.transformToByteArray(), bytes);
  assert.equal(got.ContentEncoding, undefined);
});

upstreamTest(kinds, "objects are deleted one by one and in bulk", async (upstream) => {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket }));
  for (const Key of ["a", "b&<c>", "d", "e"]) await s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
  await s3.send(new DeleteObjectCommand({ Bucket, Key: "e" }));
  await s3.send(new DeleteObjectCommand({ Bucket, Key: "never there" }));
  const Objects = ["a", "b&<c>", "never there"].map((Key) => ({ Key }));
  const { Deleted, Errors } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  assert.deepEqual(Deleted?.map(({ Key }) => Key), ["a", "b&<c>", "never there"]);
  assert.equal(Errors, undefined);
  // A version that is not there changes nothing, while `null` is the object itself.
  const VersionId = "3c3ee0f4-1f0f-4f3a-9c9f-8a3a8f4f1c11";
  await s3.send(new DeleteObjectCommand({ Bucket, Key: "d", VersionId }));
  await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: "d", VersionId }] } }));
  const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket }));
  assert.deepEqual(Contents?.map(({ Key }) => Key), ["d"]);
  const Current = [{ Key: "d", VersionId: "null" }];
  const last = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: Current } }));
  assert.deepEqual(last.Deleted?.map(({ Key, VersionId }) => ({ Key, VersionId })), Current);
  assert.equal((await s3.send(new ListObjectsV2Command({ Bucket }))).Contents, undefined);
});

upstreamTest(kinds, "a copy keeps or replaces metadata and tags", async (upstream) => {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket }));
  await s3.send(
    new PutObjectCommand({
      Bucket,
      Key: "ä b",
      Body: "body",
      Metadata: { n: "1" },
      ContentType: "text/x",
      Tagging: "t=1",
    }),
  );
  const CopySource = `${Bucket}/${encodeURIComponent("ä b")}`;
  const copy = (Key: string, more: Record<string, unknown> = {}) =>
    s3.send(new CopyObjectCommand({ Bucket, Key, CopySource, ...more }));
  assert.ok((await copy("same")).CopyObjectResult?.ETag);
  const same = await s3.send(new GetObjectCommand({ Bucket, Key: "same" }));
  assert.equal(await same.Body?.transformToString(), "body");
  assert.deepEqual([same.Metadata, same.ContentType, same.TagCount], [{ n: "1" }, "text/x", 1]);
  await copy("new", {
    MetadataDirective: "REPLACE",
    Metadata: { m: "2" },
    TaggingDirective: "REPLACE",
    Tagging: "u=2",
  });
  const replaced = await s3.send(new HeadObjectCommand({ Bucket, Key: "new" }));
  assert.deepEqual(replaced.Metadata, { m: "2" });
  const { TagSet } = await s3.send(new GetObjectTaggingCommand({ Bucket, Key: "new" }));
  assert.deepEqual(TagSet, [{ Key: "u", Value: "2" }]);
  assert.equal(await refusalOf(copy("ä b")), "400 InvalidRequest");
  assert.equal(await refusalOf(copy("b", { CopySource: `${Bucket}/none` })), "404 NoSuchKey");
  assert.equal(await refusalOf(copy("b", { CopySourceIfMatch: '"other"' })), "412 PreconditionFailed");
});
