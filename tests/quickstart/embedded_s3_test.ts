import assert from "node:assert/strict";
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetBucketLocationCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { refusalOf, s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

/*
 * What a client sees of the embedded server, held against MinIO as well: a check that fails there checks the wrong thing.
 */
const kinds = ["embedded", "minio"] as const;
const Bucket = "conformance";

upstreamTest(kinds, "buckets are made, listed, looked at and removed", async (upstream) => {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket }));
  await s3.send(new CreateBucketCommand({ Bucket: "another.bucket" }));
  const { Buckets = [] } = await s3.send(new ListBucketsCommand());
  assert.deepEqual(Buckets.map(({ Name }) => Name), ["another.bucket", Bucket]);
  assert.ok(Date.now() - Number(Buckets[0].CreationDate) < 60_000);
  await s3.send(new HeadBucketCommand({ Bucket }));
  assert.ok(!(await s3.send(new GetBucketLocationCommand({ Bucket }))).LocationConstraint);
  assert.equal(await refusalOf(s3.send(new CreateBucketCommand({ Bucket }))), "409 BucketAlreadyOwnedByYou");
  await s3.send(new PutObjectCommand({ Bucket, Key: "a", Body: "1" }));
  assert.equal(await refusalOf(s3.send(new DeleteBucketCommand({ Bucket }))), "409 BucketNotEmpty");
  await s3.send(new DeleteObjectCommand({ Bucket, Key: "a" }));
  await s3.send(new DeleteBucketCommand({ Bucket }));
  assert.equal(await refusalOf(s3.send(new ListObjectsV2Command({ Bucket }))), "404 NoSuchBucket");
  assert.equal(await refusalOf(s3.send(new HeadBucketCommand({ Bucket }))), "404 NotFound");
  for (const name of ["UPPER", "ab", "a..b", "1.2.3.4", "-ab"]) {
    assert.equal(
      await refusalOf(s3.send(new CreateBucketCommand({ Bucket: name }))),
      "400 InvalidBucketName",
    );
  }
});

upstreamTest(kinds, "requests without a signature, or with a wrong one, are refused", async (upstream) => {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket }));
  for (const method of ["GET", "PUT", "DELETE"]) {
    const answer = await fetch(`${upstream.endpoint}/${Bucket}/a`, { method });
    assert.equal(answer.status, 403);
    assert.match(await answer.text(), /<Code>AccessDenied<\/Code>/);
  }
  using wrongSecret = s3Client({ ...upstream, secretKey: "something-else" });
  assert.equal(await refusalOf(wrongSecret.send(new ListBucketsCommand())), "403 SignatureDoesNotMatch");
  using wrongKey = s3Client({ ...upstream, accessKey: "nobody" });
  assert.equal(await refusalOf(wrongKey.send(new ListBucketsCommand())), "403 InvalidAccessKeyId");
});
