import assert from "node:assert/strict";
import { DeleteObjectCommand, PutBucketVersioningCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { json, refusal } from "../support/http_client.ts";
import { copied, type CopyEnd, copyTest, pattern } from "./copy_stage.ts";

const described = {
  ContentType: "text/plain; charset=utf-8",
  CacheControl: "max-age=60, private",
  ContentDisposition: 'attachment; filename="a.txt"',
  ContentEncoding: "gzip",
  ContentLanguage: "de, en",
  Expires: new Date("2030-01-31T00:00:00Z"),
  Metadata: { plain: "value", encoded: "=?UTF-8?B?R3LDvMOfZQ==?=" },
  Tagging: "colour=red%20%2B%20blue",
  ChecksumAlgorithm: "SHA256",
} as const;

/** What describes an object besides its content. */
async function description(end: CopyEnd, key: string) {
  const found = await end.head(key);
  const { CacheControl, ContentDisposition, ContentEncoding, ContentLanguage, ExpiresString } = found;
  const { ContentType, Metadata, ChecksumSHA256, ETag } = found;
  return {
    ...{ CacheControl, ContentDisposition, ContentEncoding, ContentLanguage, ExpiresString },
    ...{ ContentType, Metadata, ChecksumSHA256, ETag, tags: await end.tags(key) },
  };
}

/** A description without what a copy can leave behind. */
function bareOf(full: Awaited<ReturnType<typeof description>>): typeof full {
  const { ContentType, ContentEncoding, ChecksumSHA256, ETag } = full;
  return {
    ...{ CacheControl: undefined, ContentDisposition: undefined, ContentEncoding },
    ...{ ContentLanguage: undefined, ExpiresString: undefined },
    ...{ ContentType, Metadata: {}, ChecksumSHA256, ETag, tags: {} },
  };
}

copyTest("copies within a backend keep everything but what is replaced", async (stage, context) => {
  const { client, source, target, copy } = stage;
  await source.put("a", "content", described);
  const before = await description(source, "a");

  await context.step("all of it", async () => {
    const answer = await copied(copy({ src_key: "a", dst_key: "b" }));
    assert.deepEqual(answer, {
      key: "b",
      size: 7,
      etag: before.ETag?.replaceAll('"', ""),
      content_type: described.ContentType,
      bucket: target.bucket,
      backend: source.backend,
      moved: false,
    });
    assert.deepEqual(await description(target, "b"), before);
    assert.deepEqual(await description(source, "a"), before);
  });

  await context.step("the metadata is replaced, and nothing else", async () => {
    await copied(copy({ src_key: "a", dst_key: "c", metadata: { "New-Name": "Grüße 🎉" } }));
    const { Metadata, ...rest } = await description(target, "c");
    assert.deepEqual(Metadata, { "new-name": "=?UTF-8?B?R3LDvMOfZSDwn46J?=" });
    const { Metadata: _, ...restBefore } = before;
    assert.deepEqual(rest, restBefore);
    await copied(copy({ src_key: "a", dst_key: "c", metadata: {} }));
    assert.deepEqual((await description(target, "c")).Metadata, {});
  });

  await context.step("the content type is replaced, and nothing else", async () => {
    const answer = await copied(copy({ src_key: "a", dst_key: "d", content_type: "text/html" }));
    assert.equal(answer.content_type, "text/html");
    assert.deepEqual(await description(target, "d"), { ...before, ContentType: "text/html" });
  });

  await context.step("what is not to be kept is left behind, and a class is named", async () => {
    await copied(copy({ src_key: "a", dst_key: "bare", keep_metadata: false, keep_tags: false }));
    assert.deepEqual(await description(target, "bare"), bareOf(before));
    await copied(copy({ src_key: "a", dst_key: "untagged", keep_tags: false }));
    assert.deepEqual(await description(target, "untagged"), { ...before, tags: {} });
    await copied(copy({ src_key: "a", dst_key: "tagged", keep_metadata: false }));
    assert.deepEqual(await description(target, "tagged"), { ...bareOf(before), tags: before.tags });
    const { storage_classes } = await json(client.get("/api/backends/from/storage-classes"));
    const storage_class = storage_classes.at(-1);
    await copied(copy({ src_key: "a", dst_key: "classed", storage_class }));
    assert.deepEqual(await description(target, "classed"), before);
    const { storage_class: found } = await json(
      client.get(`${target.path}/object/info?key=classed`),
    );
    assert.equal(found, storage_class);
    for (const wrong of ["", "no class"]) {
      assert.equal(
        await refusal(copy({ src_key: "a", dst_key: "never", storage_class: wrong })),
        "400 bad_request",
      );
    }
  });

  await context.step("in the same bucket, which is meant unless another one is named", async () => {
    const { bucket } = await copied(copy({ src_key: "a", dst_key: "e", dst_bucket: undefined }));
    assert.equal(bucket, source.bucket);
    assert.deepEqual(await description(source, "e"), before);
  });

  await context.step("an object that is there is replaced, unless it must not be", async () => {
    await target.put("there", "old");
    assert.equal(
      await refusal(copy({ src_key: "a", dst_key: "there", if_absent: true })),
      "409 object_exists",
    );
    assert.equal((await target.head("there")).ContentLength, 3);
    await copied(copy({ src_key: "a", dst_key: "there" }));
    assert.equal((await target.head("there")).ContentLength, 7);
    await copied(copy({ src_key: "a", dst_key: "not there", if_absent: true }));
  });
});

copyTest("keys of every kind are copied and moved", async ({ source, target, copy }) => {
  const keys = [
    "a b+c&d=e?f#g",
    "100%",
    "%41%2F%00",
    "ü/日本語/😀",
    "quote'\"<>(!*)",
    "back\\slash;semi,comma|tilde~",
    "?versionId=1",
    "x".repeat(200) + "/" + "y".repeat(200),
    " leading and trailing ",
    "dir/.hidden",
    "__proto__",
  ];
  for (const key of keys) {
    await source.put(key, key);
    await copied(copy({ src_key: key, dst_key: `copy of ${key}` }));
    assert.equal(new TextDecoder().decode(await target.read(`copy of ${key}`)), key);
    await copied(copy({ src_key: key, dst_key: key, move: true }));
    assert.equal(new TextDecoder().decode(await target.read(key)), key);
  }
  assert.deepEqual(await source.keys(), []);
  assert.equal((await target.keys()).length, 2 * keys.length);
}, ["embedded", "minio", "versitygw"]);

copyTest("folders are copied and moved as such", async ({ source, target, copy }) => {
  const folder = { ContentType: "application/x-directory", Metadata: { owner: "me" } };
  await source.put("folder/", "", folder);
  await copied(copy({ src_key: "folder/", dst_key: "copy/" }));
  const { ContentLength, ContentType, Metadata } = await target.head("copy/");
  assert.deepEqual({ ContentLength, ContentType, Metadata }, { ContentLength: 0, ...folder });
  await copied(copy({ src_key: "folder/", dst_key: "moved/", move: true }));
  assert.deepEqual(await source.keys(), []);
  assert.deepEqual((await target.keys()).sort(), ["copy/", "moved/"]);
});

copyTest("moves delete their source, and only that", async ({ source, target, copy }) => {
  await source.put("a", pattern(1000), described);
  await source.put("ab", "another");
  const before = await description(source, "a");
  const answer = await copied(copy({ src_key: "a", dst_key: "b", move: true }));
  assert.equal(answer.moved, true);
  assert.deepEqual(await source.keys(), ["ab"]);
  assert.deepEqual(await description(target, "b"), before);
  await copied(copy({ src_key: "ab", dst_key: "renamed", dst_bucket: undefined, move: true }));
  assert.deepEqual(await source.keys(), ["renamed"]);
});

copyTest("versions are copied, delete markers are not", async ({ source, target, copy }) => {
  const { sdk, bucket: Bucket } = source;
  await sdk.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
  const put = async (Body: string) => {
    const { VersionId = "" } = await sdk.send(new PutObjectCommand({ Bucket, Key: "a", Body }));
    return VersionId;
  };
  const first = await put("first");
  await put("second");
  await copied(copy({ src_key: "a", version_id: first, dst_key: "b" }));
  assert.equal(new TextDecoder().decode(await target.read("b")), "first");
  const restored = await copied(
    copy({ src_key: "a", version_id: first, dst_key: "a", dst_bucket: source.bucket }),
  );
  assert.equal(new TextDecoder().decode(await source.read("a")), "first");
  assert.notEqual(restored.version_id, first);
  assert.equal((await source.head("a")).VersionId, restored.version_id);

  const { VersionId: marker } = await sdk.send(new DeleteObjectCommand({ Bucket, Key: "a" }));
  assert.equal(await refusal(copy({ src_key: "a", dst_key: "c" })), "404 not_found");
  assert.equal(await refusal(copy({ src_key: "a", version_id: marker, dst_key: "c" })), "404 not_found");
  assert.deepEqual(await target.keys(), ["b"]);
});
