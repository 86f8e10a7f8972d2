import assert from "node:assert/strict";
import {
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  PutObjectLegalHoldCommand,
} from "@aws-sdk/client-s3";
import { bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { ended } from "../support/jobs.ts";
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
      assert.equal(await refusal(remove({ prefix: "a/", everything: true })), "400 invalid_prefix");
      assert.equal((await keysIn(s3, bucketName)).length > 0, true);
    });

    await context.step("of a selection, only what is selected", async () => {
      const keys = numbered("some/", 150);
      await seed(
        s3,
        bucketName,
        [...keys, "some/deep/a", "some/deep/b", "some/other/c", "some.txt"],
        "content",
      );
      const stay = ["some/00003", "some/00140"];
      const selection = {
        prefix: "some/",
        keys: keys.filter((key) => !stay.includes(key)),
        prefixes: ["some/deep/"],
      };
      assert.deepEqual(await json(remove({ ...selection, dry_run: true })), {
        count: 150,
        bytes: 150 * 7,
        first_key: "some/00000",
        last_key: "some/deep/b",
      });
      assert.equal((await keysIn(s3, bucketName, "some/")).length, 153);
      const answer = await json(remove(selection));
      assert.deepEqual([answer.deleted, answer.bytes, answer.failed], [150, 150 * 7, 0]);
      assert.deepEqual((await keysIn(s3, bucketName, "some")).sort(), ["some.txt", ...stay, "some/other/c"]);
      const last = { prefix: "", keys: ["some.txt", ...stay, "some/missing"], prefixes: [] };
      assert.equal((await json(remove(last))).failed, 0);
      assert.deepEqual(await keysIn(s3, bucketName, "some"), ["some/other/c"]);
    });

    await context.step("a selection that is none is refused", async () => {
      const prefix = "some/";
      assert.equal(await refusal(remove({ prefix, keys: [] })), "400 bad_request");
      assert.equal(await refusal(remove({ prefix, keys: ["other/a"] })), "400 invalid_prefix");
      assert.equal(await refusal(remove({ prefix: "", prefixes: [""] })), "400 invalid_prefix");
      assert.equal(await refusal(remove({ prefix: "", prefixes: ["a/../"] })), "400 invalid_prefix");
      assert.equal(
        await refusal(remove({ prefix: "", everything: true, keys: ["some/other/c"] })),
        "400 invalid_prefix",
      );
      assert.equal(await refusal(remove({ prefix, keys: numbered(prefix, 1001) })), "400 too_many_keys");
    });

    await context.step("everything in the bucket is deleted when that is said", async () => {
      const everything = { prefix: "", everything: true };
      const { count } = await json(remove({ ...everything, dry_run: true }));
      assert.equal(count, (await keysIn(s3, bucketName)).length);
      assert.equal((await json(remove(everything))).deleted, count);
      assert.deepEqual(await keysIn(s3, bucketName), []);
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

    const selection = { keys: ["a/00000", "a/00001"], versions: true };
    assert.deepEqual(await json(remove({ ...selection, dry_run: true })), {
      count: 8,
      bytes: 22,
      first_key: "a/00000",
      last_key: "a/00001",
    });
    const selected = await json(remove(selection));
    assert.deepEqual([selected.deleted, selected.failed], [8, 0], "all versions of what is selected");
    assert.equal((await versionsLeft()).some((key = "") => selection.keys.includes(key)), false);

    const answer = await json(remove({ versions: true }));
    assert.deepEqual([answer.deleted, answer.failed, answer.bytes], [count + 348 - 8, 0, bytes - 22]);
    assert.deepEqual(await versionsLeft(), ["b/1"]);
  });
});

upstreamTest(["minio"], "locked versions stay, and are told apart from other failures", async (upstream) => {
  using s3 = s3Client(upstream);
  await withBucket(upstream, async ({ client, backend }) => {
    const bucket = `${backend}/buckets/locked`;
    assert.equal(
      await status(client.post(`${backend}/buckets`, { json: { name: "locked", object_lock: true } })),
      201,
    );
    const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000);
    const locks: Record<string, Partial<PutObjectCommandInput>> = {
      "a/compliance": { ObjectLockMode: "COMPLIANCE", ObjectLockRetainUntilDate: until },
      "a/free": {},
      "a/governance": { ObjectLockMode: "GOVERNANCE", ObjectLockRetainUntilDate: until },
      "a/held": { ObjectLockLegalHoldStatus: "ON" },
    };
    const ids = new Map<string, string | undefined>();
    for (const [Key, lock] of Object.entries(locks)) {
      const put = new PutObjectCommand({ Bucket: "locked", Key, Body: "x", ...lock });
      ids.set(Key, (await s3.send(put)).VersionId);
    }
    const retain_until = until.toISOString();
    const expected = {
      "a/compliance": { mode: "COMPLIANCE", retain_until },
      "a/governance": { mode: "GOVERNANCE", retain_until },
      "a/held": { legal_hold: true },
    };
    const lockedIn = (errors: readonly { key: string; code: string; detail?: unknown }[]) =>
      Object.fromEntries(
        errors.map(({ key, code, detail }) => [key, code === "object_locked" ? detail : code]),
      );

    const keys = [...ids].filter(([key]) => key !== "a/free").map(([key, version_id]) => ({
      key,
      version_id,
    }));
    const bulk = await json(client.post(`${bucket}/objects/delete`, { json: { keys } }));
    assert.deepEqual([bulk.deleted, lockedIn(bulk.errors)], [[], expected]);
    const single = client.delete(`${bucket}/object?key=a/held&version_id=${ids.get("a/held")}`);
    assert.equal(await refusal(single), "409 object_locked");

    const answer = await json(
      client.post(`${bucket}/objects/delete-prefix`, { json: { prefix: "a/", versions: true } }),
    );
    assert.deepEqual([answer.deleted, answer.failed, lockedIn(answer.errors)], [1, 3, expected]);
    const job = `/api/jobs/${answer.job.id}`;
    const stored = await json(client.get(job));
    assert.deepEqual([stored.failed_by_code, lockedIn(stored.errors)], [{ object_locked: 3 }, expected]);

    const LegalHold = { Status: "OFF" } as const;
    await s3.send(new PutObjectLegalHoldCommand({ Bucket: "locked", Key: "a/held", LegalHold }));
    assert.equal(await status(client.post(`${job}/retry`)), 202);
    const { "a/held": _, ...left } = expected;
    assert.deepEqual(lockedIn((await ended(client, answer.job.id)).errors ?? []), left);
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
