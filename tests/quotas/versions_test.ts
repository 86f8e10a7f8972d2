import assert from "node:assert/strict";
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { endpointBackend, withEndpoint } from "../support/endpoint.ts";
import { json } from "../support/http_client.ts";
import { refusalOf, s3Client } from "../support/s3_client.ts";
import { skipUpstream } from "../support/upstreams.ts";

const Bucket = "bucket";

Deno.test({
  name: "what programs do to versions is counted",
  ignore: skipUpstream("minio"),
  fn: () =>
    withEndpoint("minio", {}, async ({ client, url, region, accessKey, secretKey, upstream }) => {
      using direct = s3Client(upstream);
      const VersioningConfiguration = { Status: "Enabled" } as const;
      await direct.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
      const quota = `/api/backends/${endpointBackend}/buckets/${Bucket}/quota`;
      await json(client.put(quota, { json: { soft_bytes: 0, hard_bytes: 100 } }));
      const usage = async () => {
        const { usage_bytes, object_count } = await json(client.get(quota));
        return [usage_bytes, object_count];
      };
      using s3 = s3Client({ endpoint: url, region, accessKey, secretKey });
      const put = (Key: string, bytes: number) =>
        s3.send(new PutObjectCommand({ Bucket, Key, Body: "x".repeat(bytes) }));

      await put("a", 60);
      const { VersionId: latest } = await put("a", 10);
      assert.deepEqual(await usage(), [10, 1]);
      await s3.send(new DeleteObjectCommand({ Bucket, Key: "a", VersionId: latest }));
      assert.deepEqual(await usage(), [60, 1]);

      // Whoever hides an object and shows it again has not made room by that.
      const { VersionId: marker } = await s3.send(new DeleteObjectCommand({ Bucket, Key: "a" }));
      assert.deepEqual(await usage(), [0, 0]);
      const { VersionId: large } = await put("b", 90);
      assert.deepEqual(await usage(), [90, 1]);
      await s3.send(
        new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: "a", VersionId: marker }] } }),
      );
      assert.deepEqual(await usage(), [150, 2]);
      assert.equal(await refusalOf(put("c", 1)), "507 QuotaExceeded");
      await s3.send(
        new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: "b", VersionId: large }] } }),
      );
      assert.deepEqual(await usage(), [60, 1]);
      await put("c", 1);
    }),
});
