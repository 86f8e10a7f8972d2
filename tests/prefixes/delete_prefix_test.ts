import assert from "node:assert/strict";
import {
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
} from "@aws-sdk/client-s3";
import { bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal } from "../support/http_client.ts";
import { s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { keysIn, numbered, seed } from "./seeding.ts";

const kinds = ["minio", "versitygw"] as const;

upstreamTest(kinds, "everything under a prefix is deleted, and nothing else", async (upstream, context) => {
  using s3 = s3Client(upstream);
  await withBucket(upstream, async ({ client, bucket }) => {
    const remove = (body: Record<string, unknown>) =>
      client.post(`${bucket}/objects/delete-prefix`, { json: body });

    await context.step("weird keys, folders, and keys that only begin alike", async () => {
      const names = [
        "",
        "ü/\u{1F600} ｆ",
        "a b+c",
        "%41",
        "&<>'\"",
        "deep/",
        "deep/x",
        "deep.er",
        "=?#;",
        ".a",
        "a.",
      ];
      // versitygw does not tell what keys XML cannot hold.
      if (upstream.kind === "minio") names.push("\u0001", "line\nfeed", "return\r");
      await seed(s3, bucketName, names.map((name) => `weird/${name}`));
      await seed(s3, bucketName, ["weirder/1", "wei/1"]);
      const answer = await json(remove({ prefix: "weird/" }));
      assert.deepEqual(
        [answer.deleted, answer.skipped, answer.failed, answer.errors, answer.job.kind, answer.job.state],
        [names.length, 0, 0, [], "delete_prefix", "done"],
      );
      assert.deepEqual((await keysIn(s3, bucketName)).sort(), ["wei/1", "weirder/1"]);
      assert.equal((await json(remove({ prefix: "weird/" }))).deleted, 0);
    });

    await context.step("1,050 objects, and the dry run says the same before", async () => {
      await seed(s3, bucketName, numbered("many/", 1050), "content");
      assert.deepEqual(await json(remove({ prefix: "many/", dry_run: true })), {
        count: 1050,
        bytes: 1050 * 7,
        first_key: "many/00000",
        last_key: "many/01049",
      });
      assert.equal((await keysIn(s3, bucketName, "many/")).length, 1050);
      const answer = await json(remove({ prefix: "many/" }));
      assert.deepEqual([answer.deleted, answer.bytes, answer.failed], [1050, 1050 * 7, 0]);
      assert.equal(answer.job.total, 1050);
      assert.deepEqual(await keysIn(s3, bucketName, "many/"), []);
      assert.deepEqual(await json(remove({ prefix: "many/", dry_run: true })), {
        count: 0,
        bytes: 0,
        first_key: null,
        last_key: null,
      });
    });

    await context.step("an empty prefix and those of no key are refused", async () => {
      for (const prefix of ["", "a\0", "../", "a/../", "a".repeat(1025)]) {
        assert.equal(await refusal(remove({ prefix })), "400 invalid_prefix");
        assert.equal(await refusal(remove({ prefix, dry_run: true })), "400 invalid_prefix");
      }
      assert.equal(await refusal(remove({})), "400 bad_request");
      const missing = bucket.replace(bucketName, "no-such-bucket");
      for (const more of [{}, { versions: true }, { dry_run: true }]) {
        const json = { prefix: "a/", ...more };
        assert.equal(
          await refusal(client.post(`${missing}/objects/delete-prefix`, { json })),
          "404 not_found",
        );
      }
      assert.equal((await keysIn(s3, bucketName)).length > 0, true);
    });
  });
});

upstreamTest(kinds, "every version and delete marker under a prefix is deleted", async (upstream) => {
  using s3 = s3Client(upstream);
  await withBucket(upstream, async ({ client, bucket }) => {
    const remove = (body: Record<string, unknown>) =>
      client.post(`${bucket}/objects/delete-prefix`, { json: { prefix: "a/", ...body } });
    const versionsLeft = async () => {
      const page = await s3.send(new ListObjectVersionsCommand({ Bucket: bucketName }));
      return [...page.Versions ?? [], ...page.DeleteMarkers ?? []].map(({ Key }) => Key);
    };
    await seed(s3, bucketName, ["a/before"], "null");
    await s3.send(
      new PutBucketVersioningCommand({ Bucket: bucketName, VersioningConfiguration: { Status: "Enabled" } }),
    );
    const keys = numbered("a/", 350);
    for (const content of ["one", "two", "three"]) await seed(s3, bucketName, keys, content);
    await seed(s3, bucketName, ["a/before", "b/1"], "later");
    for (const key of ["a/00000", "a/before", "a/00349"]) {
      await s3.send(new DeleteObjectCommand({ Bucket: bucketName, Key: key }));
    }
    const count = 3 * 350 + 2 + 3;
    const bytes = 350 * 11 + 4 + 5;
    assert.deepEqual(await json(remove({ versions: true, dry_run: true })), {
      count,
      bytes,
      first_key: "a/00000",
      last_key: "a/before",
    });

    const current = await json(remove({}));
    assert.equal(current.deleted, 348, "without `versions` only what is current gets a delete marker");
    assert.equal((await keysIn(s3, bucketName, "a/")).length, 0);

    const answer = await json(remove({ versions: true }));
    assert.deepEqual([answer.deleted, answer.failed, answer.bytes], [count + 348, 0, bytes]);
    assert.deepEqual(await versionsLeft(), ["b/1"]);
  });
});

upstreamTest(["embedded"], "a backend that knows no versions deletes none", async (upstream) => {
  using s3 = s3Client(upstream);
  await withBucket(upstream, async ({ client, bucket }) => {
    await seed(s3, bucketName, ["a/1", "a/2"]);
    const remove = (versions: boolean) =>
      client.post(`${bucket}/objects/delete-prefix`, { json: { prefix: "a/", versions } });
    assert.equal(await refusal(remove(true)), "400 not_supported");
    assert.equal((await keysIn(s3, bucketName)).length, 2);
    assert.equal((await json(remove(false))).deleted, 2);
  });
});
