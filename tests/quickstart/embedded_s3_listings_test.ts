import assert from "node:assert/strict";
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

// See embedded_s3_test.ts for why MinIO is here.
const kinds = ["embedded", "minio"] as const;
const Bucket = "conformance";

const keys = [
  "Zebra",
  "a",
  "a b+c%2F",
  "ä/ö",
  "b/",
  "b/1",
  "b/2/3",
  "c&<>\"'",
  "日本語/テキスト",
  "\uffee",
  "😀",
];

upstreamTest(
  kinds,
  "listings come in the byte order of UTF-8, rolled up at the delimiter",
  async (upstream) => {
    using s3 = s3Client(upstream);
    await s3.send(new CreateBucketCommand({ Bucket }));
    for (const Key of keys) await s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
    const list = async (query: Record<string, unknown>) => {
      const { Contents = [], CommonPrefixes = [] } = await s3.send(
        new ListObjectsV2Command({ Bucket, ...query }),
      );
      return [...Contents.map(({ Key }) => Key), ...CommonPrefixes.map(({ Prefix }) => Prefix)];
    };
    const sorted = [
      "Zebra",
      "a",
      "a b+c%2F",
      "b/",
      "b/1",
      "b/2/3",
      "c&<>\"'",
      "ä/ö",
      "日本語/テキスト",
      "\uffee",
      "😀",
    ];
    assert.deepEqual(await list({}), sorted);
    assert.deepEqual(await list({ Delimiter: "/" }), [
      ...["Zebra", "a", "a b+c%2F", "c&<>\"'", "\uffee", "😀"],
      ...["b/", "ä/", "日本語/"],
    ]);
    assert.deepEqual(await list({ Delimiter: "/", Prefix: "b/" }), ["b/", "b/1", "b/2/"]);
    assert.deepEqual(await list({ Prefix: "b" }), ["b/", "b/1", "b/2/3"]);
    assert.deepEqual(await list({ StartAfter: "b/1" }), sorted.slice(5));
    assert.deepEqual(await list({ Prefix: "nothing" }), []);
    const version1 = await s3.send(new ListObjectsCommand({ Bucket, Marker: "c", EncodingType: "url" }));
    assert.deepEqual(version1.Contents?.map(({ Key = "" }) => decodeURIComponent(Key)), sorted.slice(6));
    for (const Key of keys) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      assert.equal(await Body?.transformToString(), Key);
    }
  },
);

upstreamTest(kinds, "pages of any size add up to the whole listing", async (upstream) => {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket }));
  const Body = "x";
  const all = Array.from({ length: 40 }, (_, index) => `${index % 7}/${index % 3 === 0 ? "" : "d/"}${index}`);
  await Promise.all(all.map((Key) => s3.send(new PutObjectCommand({ Bucket, Key, Body }))));
  const walk = async (query: Record<string, unknown>) => {
    const found: unknown[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page: ListObjectsV2CommandOutput = await s3.send(
        new ListObjectsV2Command({ Bucket, ContinuationToken, ...query }),
      );
      found.push(...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix));
      found.push(...(page.Contents ?? []).map(({ Key }) => Key));
      ContinuationToken = page.NextContinuationToken;
      assert.equal(page.IsTruncated, ContinuationToken !== undefined);
      assert.ok(found.length <= all.length, "the listing does not end");
    } while (ContinuationToken !== undefined);
    return found.sort();
  };
  // MinIO goes round in circles when pages are cut at any other delimiter.
  const others = upstream.kind === "embedded" ? [{ Delimiter: "d/" }, { Delimiter: "d/", Prefix: "1" }] : [];
  for (const query of [{}, { Delimiter: "/" }, { Delimiter: "/", Prefix: "2/" }, ...others]) {
    const whole = await walk(query);
    assert.ok(whole.length > 1);
    assert.equal(new Set(whole).size, whole.length);
    for (const MaxKeys of [1, 3, 39, 40]) assert.deepEqual(await walk({ ...query, MaxKeys }), whole);
  }
});
