import assert from "node:assert/strict";
import { AbortMultipartUploadCommand } from "@aws-sdk/client-s3";
import { bucketName, type TestBucket, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { s3Client } from "../support/s3_client.ts";
import { type Upstream, upstreamTest } from "../support/upstreams.ts";
import { Upload } from "./upload.ts";

interface Page {
  readonly uploads: readonly {
    readonly key: string;
    readonly upload_id: string;
    readonly initiated: string;
  }[];
  readonly is_truncated: boolean;
  readonly next_key_marker?: string;
  readonly next_upload_id_marker?: string;
}

const keys = ["a", "a/b", "a/c", "b", "é + %41", "ü/\u{1f600}"];

upstreamTest(["embedded", "minio", "versitygw"], "unfinished uploads are listed", async (upstream) => {
  await withBucket(upstream, async (bucket) => {
    const { client } = bucket;
    const begun = [];
    for (const key of [...keys].reverse()) begun.push(await Upload.begin(client, bucket.bucket, key));
    begun.push(
      await Upload.begin(client, bucket.bucket, "a"),
      await Upload.begin(client, bucket.bucket, "a"),
    );
    const list = (query = ""): Promise<Page> => json(client.get(`${bucket.bucket}/multipart?${query}`));
    const listKeys = async (query: string) => (await list(query)).uploads.map(({ key }) => key);

    const all = await list();
    assert.equal(all.is_truncated, false);
    assert.deepEqual(all.uploads.map(({ key }) => key), ["a", "a", ...keys]);
    assert.deepEqual(ids(all), begun.map(({ id }) => id).sort());
    for (const { initiated } of all.uploads) {
      assert.ok(Math.abs(Date.parse(initiated) - Date.now()) < 60_000, initiated);
    }
    assert.deepEqual(await listKeys("prefix=a"), ["a", "a", "a", "a/b", "a/c"]);
    assert.deepEqual(await listKeys("prefix=a/"), ["a/b", "a/c"]);
    assert.deepEqual(await listKeys(`prefix=${encodeURIComponent("é +")}`), ["é + %41"]);
    assert.deepEqual(await listKeys("prefix=none"), []);
    assert.deepEqual(await listKeys("prefix=b&key_marker=a"), ["b"]);
    assert.deepEqual(await listKeys("prefix=a&key_marker=b"), []);
    assert.deepEqual(await listKeys("key_marker=a/b"), keys.slice(2));

    for (const prefix of ["", "a"]) {
      const whole = await list(`prefix=${prefix}`);
      for (const size of [1, 2, 3]) assert.deepEqual(await paged(list, prefix, size), ids(whole), `${size}`);
    }

    await abortElsewhere(upstream, begun[0]);
    assert.equal(await status(begun[1].abort()), 204);
    const part = await begun[2].send(1, "x");
    await json(begun[2].complete([part]));
    assert.deepEqual(ids(await list()), begun.slice(3).map(({ id }) => id).sort());
  });
});

function ids({ uploads }: Page): string[] {
  return uploads.map(({ upload_id }) => upload_id).sort();
}

async function paged(
  list: (query: string) => Promise<Page>,
  prefix: string,
  size: number,
): Promise<string[]> {
  const found: string[] = [];
  let markers = "";
  for (let count = 0; count < 20; count++) {
    const page = await list(`prefix=${prefix}&max_uploads=${size}${markers}`);
    assert.ok(page.uploads.length <= size);
    found.push(...ids(page));
    if (!page.is_truncated) return found.sort();
    const { next_key_marker: key = "", next_upload_id_marker: id = "" } = page;
    markers = `&key_marker=${encodeURIComponent(key)}&upload_id_marker=${encodeURIComponent(id)}`;
  }
  throw new Error("the pages never end");
}

async function abortElsewhere(upstream: Upstream, { key, id }: Upload): Promise<void> {
  using direct = s3Client(upstream);
  await direct.send(new AbortMultipartUploadCommand({ Bucket: bucketName, Key: key, UploadId: id }));
}

upstreamTest(
  ["embedded", "minio", "versitygw"],
  "keys that XML or files cannot hold",
  async (upstream) => {
    await withBucket(upstream, async (bucket) => {
      const { client } = bucket;
      const key = "un\u0001safe <&>'\"\r\n";
      const upload = await Upload.begin(client, bucket.bucket, key);
      const part = await upload.send(1, "content");
      const { uploads }: Page = await json(client.get(`${bucket.bucket}/multipart`));
      assert.deepEqual(uploads.map(({ upload_id }) => upload_id), [upload.id]);
      assert.equal(uploads[0].key, key);
      await json(upload.complete([part]));
      assert.equal(await (await client.get(bucket.object(key))).text(), "content");
      await requireOwnNames(upstream, bucket);
    });
  },
);

/** Servers that would store the object under another name refuse the upload at its begin. */
async function requireOwnNames(
  { kind }: Upstream,
  { client, bucket, object, upload }: TestBucket,
): Promise<void> {
  await upload("x/y", "before");
  const begin = client.post(`${bucket}/multipart?key=x//y`);
  if (kind !== "embedded") assert.equal(await refusal(begin), "400 invalid_key");
  else assert.equal((await begin).status, 201);
  assert.equal(await (await client.get(object("x/y"))).text(), "before");
}
