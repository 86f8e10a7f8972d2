import assert from "node:assert/strict";
import { CreateBucketCommand, HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { json, refusal } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, upstreamTest, withUpstream } from "../support/upstreams.ts";
import { keysIn, numbered, seed } from "./seeding.ts";

Deno.test({
  name: "a prefix is transferred from one backend to another and back",
  ignore: skipUpstream("minio") || skipUpstream("versitygw"),
  fn: () =>
    withUpstream("minio", (minio) =>
      withUpstream("versitygw", async (versitygw) => {
        using one = s3Client(minio);
        using other = s3Client(versitygw);
        const backends = [
          { id: "one", upstream: minio },
          { id: "other", upstream: versitygw },
          { id: "alias", upstream: minio },
        ];
        await withProgram({ backends, users: { admin: "admin", writer: "user" } }, async (program) => {
          const [admin, writer] = await Promise.all([program.signedIn(), program.signedIn("writer")]);
          for (const client of [one, other]) await client.send(new CreateBucketCommand({ Bucket: "shared" }));
          const copy = (backend: string, body: Record<string, unknown>) =>
            writer.post(`/api/backends/${backend}/buckets/shared/objects/copy-prefix`, { json: body });

          const names = [...numbered("", 100), "folder/", "ü/\u{1F600} + %41", "photo.jpg"];
          await seed(one, "shared", names.map((name) => `a/${name}`));
          const large = new Uint8Array(6 << 20).fill(7);
          const metadata = { owner: "someone" };
          await one.send(
            new PutObjectCommand({ Bucket: "shared", Key: "a/large", Body: large, Metadata: metadata }),
          );
          await seed(other, "shared", ["b/photo.jpg"], "older");

          const there = { src_prefix: "a/", dst_prefix: "b/", dst_backend: "other" };
          const preview = await json(copy("one", { ...there, dry_run: true }));
          assert.deepEqual([preview.count, preview.conflicts], [names.length + 1, 1]);
          const sent = await json(copy("one", { ...there, on_conflict: "keep_both" }));
          assert.deepEqual([sent.copied, sent.failed, sent.job.kind], [
            names.length + 1,
            0,
            "transfer_prefix",
          ]);
          assert.equal(sent.bytes, preview.bytes);
          const arrived = [...names, "large", "photo (1).jpg"].map((name) => `b/${name}`);
          assert.deepEqual((await keysIn(other, "shared")).sort(), arrived.sort());
          const head = await other.send(new HeadObjectCommand({ Bucket: "shared", Key: "b/large" }));
          assert.deepEqual([head.ContentLength, head.Metadata], [6 << 20, metadata]);

          const attributes = { keep_metadata: false, keep_tags: false, storage_class: "REDUCED_REDUNDANCY" };
          const back = { src_prefix: "b/", dst_prefix: "c/", dst_backend: "one", move: true, ...attributes };
          const returned = await json(copy("other", back));
          assert.deepEqual([returned.copied, returned.failed], [arrived.length, 0]);
          assert.deepEqual(await keysIn(other, "shared"), []);
          assert.equal((await keysIn(one, "shared", "c/")).length, arrived.length);
          const bare = await one.send(new HeadObjectCommand({ Bucket: "shared", Key: "c/large" }));
          assert.deepEqual([bare.ContentLength, bare.Metadata, bare.StorageClass], [
            6 << 20,
            {},
            "REDUCED_REDUNDANCY",
          ]);

          // Two ids, one place.
          for (const dst_prefix of ["a/", "a/b/"]) {
            const inside = { src_prefix: "a/", dst_prefix, dst_backend: "alias" };
            assert.equal(await refusal(copy("one", inside)), "400 invalid_prefix");
          }
          const { events } = await json(admin.get("/api/admin/audit?limit=20"));
          const { detail } = events.find(({ detail }: { detail: { move?: boolean } }) => detail.move);
          assert.partialDeepStrictEqual(detail, attributes);
          const audited = events.filter(({ action }: { action: string }) => action.includes("_prefix"))
            .map(({ action, status }: { action: string; status: string }) => `${action} ${status}`);
          assert.deepEqual(audited.reverse(), [
            "object.transfer_prefix ok",
            "object.transfer_prefix ok",
            "object.transfer_prefix ok",
            "object.transfer_prefix error",
            "object.transfer_prefix error",
          ]);
        });
      })),
});

upstreamTest(
  ["minio", "versitygw"],
  "by a second address of its server, nothing is moved onto what is still to be moved",
  async (upstream) => {
    const proxy = startFaultProxy(upstream);
    const backends = [{ id: "one", upstream }, { id: "alias", upstream: proxy }];
    try {
      using sdk = s3Client(upstream);
      await withProgram({ backends }, async (program) => {
        const client = await program.signedIn();
        await sdk.send(new CreateBucketCommand({ Bucket: "shared" }));
        const inner = numbered("a/b/b/", 20);
        const outer = numbered("a/b/", 20);
        await seed(sdk, "shared", [...inner, ...outer]);
        const move = (src_prefix: string, dst_prefix: string) =>
          json(client.post("/api/backends/one/buckets/shared/objects/copy-prefix", {
            json: { src_prefix, dst_prefix, dst_backend: "alias", move: true },
          }));
        const up = await move("a/b/", "a/");
        assert.deepEqual([up.copied, up.failed], [outer.length, inner.length]);
        const left = [...numbered("a/", 20), ...inner];
        assert.deepEqual(await keysIn(sdk, "shared"), left);
        const down = await move("a/", "a/b/");
        assert.deepEqual([down.copied, down.failed], [0, left.length]);
        assert.deepEqual(await keysIn(sdk, "shared"), left);
      });
    } finally {
      await proxy.stop();
    }
  },
);
