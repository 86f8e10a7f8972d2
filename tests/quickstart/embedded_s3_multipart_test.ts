import assert from "node:assert/strict";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { refusalOf, s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

// See embedded_s3_test.ts for why MinIO is here.
const kinds = ["embedded", "minio"] as const;
const Bucket = "conformance";
const mebibyte = 1024 ** 2;

upstreamTest(kinds, "a multipart upload is listed, resumed, completed and aborted", async (upstream) => {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket }));
  const Key = "big/ä";
  const { UploadId } = await s3.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ContentType: "text/y", Metadata: { n: "1" } }),
  );
  const first = new Uint8Array(5 * mebibyte).fill(97);
  const upload = (PartNumber: number, Body: Uint8Array) =>
    s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
  await upload(1, new Uint8Array(5 * mebibyte));
  const parts = [
    { PartNumber: 1, ETag: (await upload(1, first)).ETag },
    { PartNumber: 7, ETag: (await upload(7, new Uint8Array(10).fill(98))).ETag },
  ];
  assert.match(await refusalOf(upload(0, first)), /^400 Invalid/);
  assert.equal(await refusalOf(s3.send(new HeadObjectCommand({ Bucket, Key }))), "404 NotFound");
  const listed = await s3.send(new ListPartsCommand({ Bucket, Key, UploadId }));
  assert.deepEqual(listed.Parts?.map(({ PartNumber, Size }) => [PartNumber, Size]), [[1, 5 * mebibyte], [
    7,
    10,
  ]]);
  const page = await s3.send(new ListPartsCommand({ Bucket, Key, UploadId, MaxParts: 1 }));
  assert.deepEqual([page.IsTruncated, page.NextPartNumberMarker], [true, "1"]);
  // MinIO lists the uploads of one key only.
  const uploads = await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }));
  assert.deepEqual(uploads.Uploads?.map((found) => [found.Key, found.UploadId]), [[Key, UploadId]]);
  const complete = (Parts: typeof parts) =>
    s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
  assert.equal(await refusalOf(complete([{ PartNumber: 1, ETag: parts[1].ETag }])), "400 InvalidPart");
  assert.equal(await refusalOf(complete(parts.toReversed())), "400 InvalidPartOrder");
  assert.match((await complete(parts)).ETag ?? "", /^"[0-9a-f]{32}-2"$/);
  const got = await s3.send(new GetObjectCommand({ Bucket, Key, Range: "bytes=5242878-5242882" }));
  assert.equal(await got.Body?.transformToString(), "aabbb");
  assert.deepEqual([got.Metadata, got.ContentType], [{ n: "1" }, "text/y"]);
  const whole = await s3.send(new GetObjectCommand({ Bucket, Key }));
  assert.equal((await whole.Body?.transformToByteArray())?.length, 5 * mebibyte + 10);
  assert.equal(await refusalOf(upload(2, first)), "404 NoSuchUpload");
  const { UploadId: aborted } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: "none" }));
  await s3.send(new AbortMultipartUploadCommand({ Bucket, Key: "none", UploadId: aborted }));
  const list = new ListPartsCommand({ Bucket, Key: "none", UploadId: aborted });
  assert.equal(await refusalOf(s3.send(list)), "404 NoSuchUpload");
});

upstreamTest(kinds, "parts are copied from objects, and small ones refused", async (upstream) => {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket }));
  await s3.send(new PutObjectCommand({ Bucket, Key: "source", Body: "0123456789" }));
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: "copy" }));
  const common = { Bucket, Key: "copy", UploadId, CopySource: `${Bucket}/source` };
  const copyPart = async (PartNumber: number, CopySourceRange?: string) => {
    const answer = await s3.send(new UploadPartCopyCommand({ ...common, PartNumber, CopySourceRange }));
    return { PartNumber, ETag: answer.CopyPartResult?.ETag };
  };
  const parts = [await copyPart(1, "bytes=2-5"), await copyPart(2)];
  assert.match(await refusalOf(copyPart(3, "bytes=5-10")), /^4\d\d Invalid/);
  const complete = (Parts: typeof parts) =>
    s3.send(
      new CompleteMultipartUploadCommand({ Bucket, Key: "copy", UploadId, MultipartUpload: { Parts } }),
    );
  assert.equal(await refusalOf(complete(parts)), "400 EntityTooSmall");
  await complete(parts.slice(0, 1));
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: "copy" }));
  assert.equal(await Body?.transformToString(), "2345");
});
