import assert from "node:assert/strict";
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { s3Client } from "./s3_client.ts";
import { upstreamKinds, upstreamTest } from "./upstreams.ts";

upstreamTest(
  upstreamKinds,
  "every upstream starts empty, stores an object and refuses strangers",
  async (upstream) => {
    using s3 = s3Client(upstream);
    await s3.send(new CreateBucketCommand({ Bucket: "bucket" }));
    await s3.send(new PutObjectCommand({ Bucket: "bucket", Key: "a", Body: "bytes" }));
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: "bucket", Key: "a" }));
    assert.equal(await Body?.transformToString(), "bytes");
    const answer = await fetch(`${upstream.endpoint}/bucket/a`);
    await answer.body?.cancel();
    assert.equal(answer.status, 403);
  },
);
