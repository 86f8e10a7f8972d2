import assert from "node:assert/strict";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { formOf, signedFields } from "../proxy/support/post_form.ts";
import { type Endpoint, endpointBackend, withEndpoint } from "../support/endpoint.ts";
import { json, status } from "../support/http_client.ts";
import { refusalOf, s3Client } from "../support/s3_client.ts";
import { skipUpstream, type UpstreamKind } from "../support/upstreams.ts";

const mebibyte = 1 << 20;
const Bucket = "bucket";
const bucketPath = `/api/backends/${endpointBackend}/buckets/${Bucket}`;

/** The endpoint with a quota on its bucket. */
interface Limited {
  readonly endpoint: Endpoint;
  /** A client of the endpoint. */
  readonly s3: S3Client;
  setQuota(hardBytes: number): Promise<void>;
  usage(): Promise<number>;
  /** Counts the bucket again. */
  recompute(): Promise<number>;
}

function quotaTest(name: string, body: (limited: Limited) => Promise<void>): void {
  for (const kind of ["embedded", "minio"] satisfies UpstreamKind[]) {
    Deno.test({
      name: `${name} [${kind}]`,
      ignore: skipUpstream(kind),
      fn: () =>
        withEndpoint(kind, {}, async (endpoint) => {
          const { client, url, region, accessKey, secretKey } = endpoint;
          using s3 = s3Client({ endpoint: url, region, accessKey, secretKey });
          await body({
            endpoint,
            s3,
            async setQuota(hardBytes) {
              const quota = { soft_bytes: 0, hard_bytes: hardBytes };
              await json(client.put(`${bucketPath}/quota`, { json: quota }));
            },
            usage: async () => (await json(client.get(`${bucketPath}/quota`))).usage_bytes,
            recompute: async () => (await json(client.post(`${bucketPath}/quota/recompute`))).usage_bytes,
          });
        }),
    });
  }
}

function put(s3: S3Client, Key: string, bytes: number) {
  return s3.send(new PutObjectCommand({ Bucket, Key, Body: new Uint8Array(bytes) }));
}

async function beginUpload(s3: S3Client, Key: string): Promise<string> {
  const { UploadId = "" } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  return UploadId;
}

async function sendPart(s3: S3Client, Key: string, UploadId: string, PartNumber: number, bytes: number) {
  const Body = new Uint8Array(bytes);
  const { ETag } = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
  return { PartNumber, ETag };
}

async function putInParts(s3: S3Client, Key: string, bytes: number): Promise<void> {
  const UploadId = await beginUpload(s3, Key);
  const Parts = [await sendPart(s3, Key, UploadId, 1, bytes)];
  await s3.send(
    new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
  );
}

/** Whether a write found room; throws when it failed for another reason. */
async function hasRoom(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    assert.equal(await refusalOf(Promise.reject(error)), "507 QuotaExceeded");
    return false;
  }
}

quotaTest("whatever comes in at once and on whatever way, the cap holds", async (limited) => {
  const { endpoint, s3, setQuota, usage } = limited;
  await put(s3, "source", mebibyte);
  await setQuota(10 * mebibyte);
  const CopySource = `${Bucket}/source`;
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const Key = `object-${index}`;
      if (index % 5 === 0) return await hasRoom(put(s3, Key, mebibyte));
      if (index % 5 === 1) return await hasRoom(putInParts(s3, Key, mebibyte));
      if (index % 5 === 2) return await hasRoom(s3.send(new CopyObjectCommand({ Bucket, Key, CopySource })));
      const file = new Uint8Array(mebibyte);
      const form = formOf(signedFields(endpoint, { fields: { key: Key } }), { file });
      const code = await status(
        index % 5 === 3
          ? fetch(`${endpoint.url}/${Bucket}`, { method: "POST", body: form })
          : endpoint.client.post(`${bucketPath}/object?key=${Key}`, { body: file }),
      );
      assert.ok(code < 300 || code === 507, String(code));
      return code < 300;
    }),
  );
  assert.equal(outcomes.filter(Boolean).length, 9);
  using direct = s3Client(endpoint.upstream);
  const { Contents = [] } = await direct.send(new ListObjectsV2Command({ Bucket }));
  assert.equal(Contents.reduce((total, { Size = 0 }) => total + Size, 0), 10 * mebibyte);
  assert.equal(await usage(), 10 * mebibyte);
});

quotaTest("what programs replace, delete, complete and abort is counted", async (limited) => {
  const { s3, setQuota, usage, recompute } = limited;
  await setQuota(20 * mebibyte);
  await put(s3, "a", 6 * mebibyte);
  await put(s3, "a", 2 * mebibyte);
  assert.equal(await usage(), 2 * mebibyte);

  const UploadId = await beginUpload(s3, "b");
  for (const number of [1, 2]) await sendPart(s3, "b", UploadId, number, 5 * mebibyte);
  const CopySource = `${Bucket}/a`;
  const copy = { Bucket, Key: "b", UploadId, CopySource };
  await s3.send(new UploadPartCopyCommand({ ...copy, PartNumber: 3 }));
  await s3.send(new UploadPartCopyCommand({ ...copy, PartNumber: 4, CopySourceRange: "bytes=0-99" }));
  assert.equal(await usage(), 14 * mebibyte + 100);
  assert.equal(await recompute(), 14 * mebibyte + 100);
  assert.equal(await refusalOf(sendPart(s3, "b", UploadId, 5, 6 * mebibyte)), "507 QuotaExceeded");
  // The upload exists, but not under this key: it goes on to count.
  await s3.send(new AbortMultipartUploadCommand({ Bucket, Key: "c", UploadId })).catch(() => {});
  assert.equal(await usage(), 14 * mebibyte + 100);
  await s3.send(new AbortMultipartUploadCommand({ Bucket, Key: "b", UploadId }));
  assert.equal(await usage(), 2 * mebibyte);

  await putInParts(s3, "a", 3 * mebibyte);
  assert.equal(await usage(), 3 * mebibyte);
  await put(s3, "b", mebibyte);
  await s3.send(new DeleteObjectCommand({ Bucket, Key: "b" }));
  await s3.send(
    new DeleteObjectsCommand({
      Bucket,
      Delete: { Objects: [{ Key: "a" }, { Key: "missing" }], Quiet: true },
    }),
  );
  assert.equal(await usage(), 0);
  assert.equal(await recompute(), 0);
  await put(s3, "c", 20 * mebibyte);
  assert.equal(await refusalOf(put(s3, "d", 1)), "507 QuotaExceeded");
});
