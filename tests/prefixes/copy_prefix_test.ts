import assert from "node:assert/strict";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { backendId, bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal } from "../support/http_client.ts";
import { s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { keysIn, numbered, seed } from "./seeding.ts";

const kinds = ["minio", "versitygw"] as const;

upstreamTest(kinds, "a prefix is copied and moved with all that is under it", async (upstream, context) => {
  using s3 = s3Client(upstream);
  await withBucket(upstream, async ({ client, backend, bucket }) => {
    const copy = (body: Record<string, unknown>) =>
      client.post(`${bucket}/objects/copy-prefix`, { json: body });
    const contentOf = async (key: string, from = bucketName) => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: from, Key: key }));
      return await Body?.transformToString();
    };
    await json(client.post(`${backend}/buckets`, { json: { name: "other-bucket" } }), 201);

    await context.step("weird keys keep their names and contents", async () => {
      const names = [
        "",
        "ü/\u{1F600} ｆ",
        "a b+c",
        "%41",
        "&<>'\"",
        "deep/er/",
        "deep/er/x",
        "deep.er",
        "=?#;",
      ];
      await seed(s3, bucketName, names.map((name) => `weird/${name}`));
      const answer = await json(copy({ src_prefix: "weird/", dst_prefix: "kept/" }));
      assert.deepEqual(
        [answer.copied, answer.skipped, answer.failed, answer.errors, answer.job.state],
        [names.length, 0, 0, [], "done"],
      );
      assert.equal(answer.job.kind, "copy_prefix");
      assert.equal(answer.job.total, names.length);
      const expected = names.map((name) => `kept/${name}`);
      assert.deepEqual(new Set(await keysIn(s3, bucketName, "kept/")), new Set(expected));
      assert.equal(await contentOf("kept/ü/\u{1F600} ｆ"), "weird/ü/\u{1F600} ｆ");
      const bytes = names.filter((name) => name !== "" && !name.endsWith("/"))
        .reduce((sum, name) => sum + new TextEncoder().encode(`weird/${name}`).length, 0);
      assert.equal(answer.bytes, bytes);
    });

    await context.step("existing objects are replaced, skipped or kept", async () => {
      await seed(s3, bucketName, ["new/photo.jpg", "new/b", "new/sub/"], "new");
      await seed(s3, bucketName, ["old/photo.jpg", "old/photo (1).jpg", "old/sub/"], "old");
      const both = await json(copy({ src_prefix: "new/", dst_prefix: "old/", on_conflict: "keep_both" }));
      assert.deepEqual([both.copied, both.skipped, both.failed], [2, 1, 0]);
      assert.equal(await contentOf("old/photo (2).jpg"), "new");
      assert.equal(await contentOf("old/photo.jpg"), "old");
      assert.deepEqual((await keysIn(s3, bucketName, "old/")).sort(), [
        "old/b",
        "old/photo (1).jpg",
        "old/photo (2).jpg",
        "old/photo.jpg",
        "old/sub/",
      ]);
      const skipped = await json(copy({ src_prefix: "new/", dst_prefix: "old/", on_conflict: "skip" }));
      assert.deepEqual([skipped.copied, skipped.skipped, skipped.failed], [0, 3, 0]);
      assert.equal(await contentOf("old/photo.jpg"), "old");
      const replaced = await json(copy({ src_prefix: "new/", dst_prefix: "old/" }));
      assert.deepEqual([replaced.copied, replaced.skipped, replaced.failed], [3, 0, 0]);
      assert.equal(await contentOf("old/photo.jpg"), "new");
    });

    await context.step("only what is selected is copied, moved or counted", async () => {
      const names = ["pick/a", "pick/a.txt", "pick/ab/1", "pick/ab/2", "pick/b #?", "pick/z/1"];
      await seed(s3, bucketName, [...names, "picked/a"]);
      const some = { src_prefix: "pick/", keys: ["pick/b #?", "pick/a"], prefixes: ["pick/ab/"] };
      const figures = await json(copy({ ...some, dst_prefix: "picked/", dry_run: true }));
      assert.deepEqual([figures.count, figures.bytes, figures.conflicts], [4, 6 + 9 + 9 + 9, 1]);
      assert.deepEqual([figures.first_key, figures.last_key], ["pick/a", "pick/b #?"]);
      const moved = await json(copy({ ...some, dst_prefix: "picked/", move: true }));
      assert.deepEqual([moved.copied, moved.failed, moved.job.spec.selected], [4, 0, 3]);
      assert.deepEqual(await keysIn(s3, bucketName, "pick/"), ["pick/a.txt", "pick/z/1"]);
      assert.deepEqual(await keysIn(s3, bucketName, "picked/"), [
        "picked/a",
        "picked/ab/1",
        "picked/ab/2",
        "picked/b #?",
      ]);
      const longer = { src_prefix: "pick/a.txt", keys: ["pick/a.txt"], dst_prefix: "pick/a.txt.bak" };
      assert.equal((await json(copy({ ...longer, move: true }))).copied, 1);
      assert.deepEqual(await keysIn(s3, bucketName, "pick/"), ["pick/a.txt.bak", "pick/z/1"]);
      const missing = await json(copy({ src_prefix: "pick/", keys: ["pick/gone"], dst_prefix: "else/" }));
      assert.deepEqual([missing.copied, missing.errors[0]?.code], [0, "not_found"]);
      for (
        const wrong of [
          { src_prefix: "pick/", keys: ["other"], dst_prefix: "x/" },
          { src_prefix: "pick/", prefixes: ["pick/z/"], dst_prefix: "pick/z/" },
          { src_prefix: "pick/", keys: ["pick/z/1"], dst_prefix: "pick/" },
        ]
      ) assert.equal(await refusal(copy(wrong)), "400 invalid_prefix");
      assert.equal(
        await refusal(copy({ src_prefix: "pick/", keys: [], dst_prefix: "x/" })),
        "400 bad_request",
      );
      const many = Array.from({ length: 1001 }, (_, index) => `pick/${index}`);
      assert.equal(
        await refusal(copy({ src_prefix: "pick/", keys: many, dst_prefix: "x/" })),
        "400 too_many_keys",
      );
    });

    await context.step("a move deletes its sources, a copy to another bucket does not", async () => {
      await seed(s3, bucketName, ["from/1", "from/2/3"]);
      const away = { src_prefix: "from/", dst_prefix: "", dst_bucket: "other-bucket" };
      assert.equal((await json(copy(away))).copied, 2);
      assert.deepEqual(await keysIn(s3, "other-bucket"), ["1", "2/3"]);
      const moved = await json(copy({ src_prefix: "from/", dst_prefix: "to/", move: true }));
      assert.deepEqual([moved.copied, moved.failed], [2, 0]);
      assert.deepEqual(await keysIn(s3, bucketName, "from/"), []);
      assert.equal(await contentOf("to/2/3"), "from/2/3");
    });

    await context.step(
      "into a prefix that holds the source, but not over what is still to be copied",
      async () => {
        await seed(s3, bucketName, ["x/y/1", "x/y/y/1", "x/y/z"]);
        const answer = await json(copy({ src_prefix: "x/y/", dst_prefix: "x/" }));
        assert.deepEqual([answer.copied, answer.failed], [2, 1]);
        assert.equal(answer.errors[0].key, "x/y/y/1");
        assert.equal(answer.errors[0].code, "conflict");
        assert.equal(await contentOf("x/y/1"), "x/y/1");
        assert.equal(await contentOf("x/z"), "x/y/z");
      },
    );

    await context.step("a target key that cannot be fails alone", async () => {
      await seed(s3, bucketName, ["long/a", `long/${"b".repeat(200)}`]);
      const folder = `${"c".repeat(200)}/`.repeat(4);
      const answer = await json(copy({ src_prefix: "long/", dst_prefix: `${folder}${"d".repeat(60)}/` }));
      assert.deepEqual([answer.copied, answer.failed], [1, 1]);
      assert.equal(answer.errors[0].code, "invalid_key");
    });

    await context.step("1,050 objects, and the dry run says the same before", async () => {
      await seed(s3, bucketName, numbered("many/", 1050), "content");
      await seed(s3, bucketName, ["some/00007", "some/01049", "some/other"], "content");
      const body = { src_prefix: "many/", dst_prefix: "some/" };
      assert.deepEqual(await json(copy({ ...body, dry_run: true })), {
        count: 1050,
        bytes: 1050 * 7,
        first_key: "many/00000",
        last_key: "many/01049",
        conflicts: 2,
        conflict_keys: ["many/00007", "many/01049"],
      });
      assert.equal((await keysIn(s3, bucketName, "some/")).length, 3);
      const answer = await json(copy({ ...body, on_conflict: "skip" }));
      assert.deepEqual([answer.copied, answer.skipped, answer.failed], [1048, 2, 0]);
      assert.equal(answer.bytes, 1048 * 7);
      assert.equal(answer.job.total, 1050);
      assert.equal((await keysIn(s3, bucketName, "some/")).length, 1051);
    });
  });
});

upstreamTest(["minio"], "copies of prefixes that cannot be are refused", async (upstream) => {
  await withBucket(upstream, async ({ client, bucket, upload }) => {
    await upload("a/1", "x");
    const copy = (body: Record<string, unknown>) =>
      refusal(client.post(`${bucket}/objects/copy-prefix`, { json: body }));
    const cases: [Record<string, unknown>, string][] = [
      [{ src_prefix: "a/", dst_prefix: "a/" }, "400 invalid_prefix"],
      [{ src_prefix: "a/", dst_prefix: "a/b/" }, "400 invalid_prefix"],
      [{ src_prefix: "", dst_prefix: "" }, "400 invalid_prefix"],
      [{ src_prefix: "", dst_prefix: "b/" }, "400 invalid_prefix"],
      [{ src_prefix: "a", dst_prefix: "ab" }, "400 invalid_prefix"],
      [{ src_prefix: "a/", dst_prefix: "b/../c/" }, "400 invalid_prefix"],
      [{ src_prefix: "a/\0", dst_prefix: "b/" }, "400 invalid_prefix"],
      [{ src_prefix: "a/", dst_prefix: "b".repeat(1025) }, "400 invalid_prefix"],
      [{ src_prefix: "a/", dst_prefix: "a/", dst_bucket: "../other" }, "400 invalid_bucket_name"],
      [{ src_prefix: "a/", dst_prefix: "a/", dst_bucket: "no-such-bucket" }, "404 not_found"],
      [{ src_prefix: "a/", dst_prefix: "b/", dst_backend: "none" }, "404 not_found"],
      [{ src_prefix: "a/", dst_prefix: "b/", on_conflict: "merge" }, "400 bad_request"],
      [{ src_prefix: "a/" }, "400 bad_request"],
    ];
    for (const [body, expected] of cases) {
      for (const dry_run of [false, true]) {
        assert.equal(await copy({ ...body, dry_run }), expected, JSON.stringify(body).slice(0, 200));
      }
    }
    const jobs = await json(client.get("/api/jobs"));
    assert.deepEqual(jobs.jobs, []);
    const missing = `/api/backends/${backendId}/buckets/no-such-bucket/objects/copy-prefix`;
    assert.equal(
      await refusal(client.post(missing, { json: { src_prefix: "a/", dst_prefix: "b/" } })),
      "404 not_found",
    );
  });
});
