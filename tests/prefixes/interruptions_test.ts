import assert from "node:assert/strict";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { backendId, bucketName, type TestBucket, withBucket } from "../support/bucket.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault_proxy.ts";
import { json } from "../support/http_client.ts";
import { ended, getJob, holdRequests, isCopy, startJob } from "../support/jobs.ts";
import { until } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { type Upstream, upstreamTest } from "../support/upstreams.ts";
import { keysIn, numbered, seed } from "./seeding.ts";

const kinds = ["minio", "versitygw"] as const;

/** The program in front of an upstream that fails on command, and a client of the upstream past both. */
interface Stage extends TestBucket {
  readonly proxy: FaultProxy;
  readonly s3: S3Client;
}

async function withStage(upstream: Upstream, body: (stage: Stage) => Promise<void>): Promise<void> {
  using s3 = s3Client(upstream);
  const proxy = startFaultProxy(upstream);
  try {
    await withBucket(proxy, (bucket) => body({ ...bucket, proxy, s3 }), {
      config: { ratelimit: { api_per_minute: 0 } },
    });
  } finally {
    await proxy.stop();
  }
}

/** Checks that each object under a prefix holds the key that it was seeded under: none is cut off or mixed up. */
async function requireContents(s3: S3Client, keys: readonly string[], sourceOf: (key: string) => string) {
  const open = [...keys];
  const checkNext = async () => {
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucketName, Key: key }));
      assert.equal(await Body?.transformToString(), sourceOf(key));
    }
  };
  await Promise.all(Array.from({ length: 8 }, checkNext));
}

upstreamTest(
  kinds,
  "what goes wrong in the middle of a job is told, and nothing is lost",
  async (upstream, context) => {
    await withStage(upstream, async ({ client, bucket, proxy, s3 }) => {
      const path = `${bucket}/objects/copy-prefix`;

      await context.step("a source that vanishes meanwhile fails alone", async () => {
        await seed(s3, bucketName, numbered("v/", 60));
        const held = holdRequests(proxy, isCopy, 10);
        const { id } = await startJob(client, path, { src_prefix: "v/", dst_prefix: "w/" });
        await held.reached;
        await s3.send(new DeleteObjectCommand({ Bucket: bucketName, Key: "v/00055" }));
        held.release();
        const job = await ended(client, id);
        assert.deepEqual([job.state, job.done, job.failed], ["done", 59, 1]);
        assert.deepEqual(job.errors?.map(({ key, code }) => [key, code]), [["v/00055", "not_found"]]);
      });

      await context.step(
        "a client that goes away stops its job, and only whole objects are left",
        async () => {
          await seed(s3, bucketName, numbered("c/", 60));
          const held = holdRequests(proxy, isCopy, 20);
          const leaving = new AbortController();
          const json = { src_prefix: "c/", dst_prefix: "d/" };
          const answer = client.post(path, { json, signal: leaving.signal });
          await held.reached;
          leaving.abort();
          await assert.rejects(answer);
          const job = await until(async () => {
            const [latest] = (await (await client.get("/api/jobs")).json()).jobs;
            return latest.state !== "running" && latest;
          }, { what: "the job to notice" });
          held.release();
          const last = job.state === "stopping" ? await ended(client, job.id) : job;
          assert.equal(last.state, "stopped");
          const copied = await keysIn(s3, bucketName, "d/");
          assert.equal(copied.length, last.done);
          assert.ok(copied.length < 60);
          await requireContents(s3, copied, (key) => key.replace("d/", "c/"));
          await client.post(`/api/jobs/${job.id}/retry`);
          const done = await ended(client, job.id);
          assert.deepEqual([done.state, done.done, done.failed], ["done", 60, 0]);
          assert.equal((await keysIn(s3, bucketName, "d/")).length, 60);
        },
      );

      await context.step("a backend that dies half-way fails the job, and a retry ends it", async () => {
        await seed(s3, bucketName, numbered("m/", 120));
        const held = holdRequests(proxy, isCopy, 40);
        const { id } = await startJob(client, path, { src_prefix: "m/", dst_prefix: "n/", move: true });
        await held.reached;
        proxy.set("refuse");
        held.release();
        const failed = await ended(client, id);
        assert.deepEqual([failed.state, failed.error?.code, failed.can_retry], [
          "failed",
          "backend_error",
          true,
        ]);
        const [left, moved] = await Promise.all(["m/", "n/"].map((prefix) => keysIn(s3, bucketName, prefix)));
        const names = new Set([...left, ...moved].map((key) => key.slice(2)));
        assert.equal(names.size, 120, "each object is at its source, at its target or, copied last, at both");
        proxy.set("none");
        await json(client.post(`/api/jobs/${id}/retry`), 202);
        const done = await ended(client, id);
        assert.deepEqual([done.state, done.failed], ["done", 0]);
        assert.deepEqual(await keysIn(s3, bucketName, "m/"), []);
        const all = await keysIn(s3, bucketName, "n/");
        assert.deepEqual(all, numbered("n/", 120));
        await requireContents(s3, all, (key) => key.replace("n/", "m/"));
      });

      await context.step(
        "a source that cannot be deleted stays, and its move is told as failed",
        async () => {
          await seed(s3, bucketName, numbered("f/", 20));
          const fault = { kind: "status", status: 403, code: "AccessDenied" } as const;
          const rule = proxy.rule({
            matches: ({ method, key }) => method === "DELETE" && key === "f/00007",
            fault,
          });
          const moved = await json(
            client.post(path, { json: { src_prefix: "f/", dst_prefix: "g/", move: true } }),
          );
          rule.remove();
          assert.deepEqual([moved.copied, moved.failed, moved.errors[0].key], [19, 1, "f/00007"]);
          assert.equal(moved.errors[0].code, "forbidden");
          assert.deepEqual(await keysIn(s3, bucketName, "f/"), ["f/00007"]);
          await json(client.post(`/api/jobs/${moved.job.id}/retry`), 202);
          assert.deepEqual((await ended(client, moved.job.id)).state, "done");
          assert.deepEqual(await keysIn(s3, bucketName, "f/"), []);
          assert.equal((await keysIn(s3, bucketName, "g/")).length, 20);
        },
      );

      await context.step("a source whose deletion is not confirmed was moved all the same", async () => {
        for (const on_conflict of ["replace", "keep_both"]) {
          await seed(s3, bucketName, numbered("l/", 10));
          const rule = proxy.rule({
            matches: ({ method, key }) => method === "DELETE" && key === "l/00003",
            fault: { kind: "lost_answer" },
          });
          const body = { src_prefix: "l/", dst_prefix: `${on_conflict}/`, move: true, on_conflict };
          const moved = await json(client.post(path, { json: body }));
          rule.remove();
          assert.ok(rule.applied > 0);
          assert.deepEqual([moved.copied, moved.failed, moved.job.state], [10, 0, "done"]);
          assert.deepEqual(await keysIn(s3, bucketName, "l/"), []);
          assert.deepEqual(await keysIn(s3, bucketName, `${on_conflict}/`), numbered(`${on_conflict}/`, 10));
        }
      });

      await context.step("moments of trouble do not fail anything", async () => {
        await seed(s3, bucketName, numbered("t/", 30));
        const fault = { kind: "status", status: 503, code: "SlowDown" } as const;
        proxy.rule({ from: 5, count: 3, fault });
        proxy.rule({ matches: ({ query }) => query.has("delete"), count: 1, fault });
        const copied = await json(client.post(path, { json: { src_prefix: "t/", dst_prefix: "u/" } }));
        assert.deepEqual([copied.copied, copied.failed], [30, 0]);
        const removal = { json: { prefix: "t/" } };
        const deleted = await json(client.post(`${bucket}/objects/delete-prefix`, removal));
        assert.deepEqual([deleted.deleted, deleted.failed], [30, 0]);
        proxy.clear();
      });

      await context.step("what does not fit into the quota is told key by key", async () => {
        await json(client.post(bucket.replace(/\/[^/]+$/, ""), { json: { name: "small-bucket" } }), 201);
        const small = bucket.replace(bucketName, "small-bucket");
        await json(client.put(`${small}/quota`, { json: { soft_bytes: 0, hard_bytes: 50 * 100 } }));
        await seed(s3, bucketName, numbered("q/", 80), "x".repeat(100));
        const body = { src_prefix: "q/", dst_prefix: "", dst_bucket: "small-bucket" };
        const copied = await json(client.post(path, { json: body }));
        assert.deepEqual([copied.copied, copied.failed, copied.errors.length], [50, 30, 30]);
        assert.ok(copied.errors.every(({ code }: { code: string }) => code === "quota_exceeded"));
        const kept = await keysIn(s3, "small-bucket");
        assert.equal(kept.length, 50);
        const removal = { json: { prefix: "000" } };
        assert.equal((await json(client.post(`${small}/objects/delete-prefix`, removal))).deleted, 50);
        const { usage_bytes } = await json(client.get(`${small}/quota`));
        assert.equal(usage_bytes, 0);
        const again = await json(client.post(path, { json: body }));
        assert.equal(again.copied, 50, "the room of what was deleted is free again");
      });
    });
  },
);

upstreamTest(kinds, "the deletion of versions goes on where it has failed", async (upstream) => {
  await withStage(upstream, async ({ client, bucket, proxy, s3 }) => {
    await s3.send(
      new PutBucketVersioningCommand({ Bucket: bucketName, VersioningConfiguration: { Status: "Enabled" } }),
    );
    for (let round = 0; round < 7; round++) await seed(s3, bucketName, numbered("a/", 201));
    // The first page ends with some versions of a key, the second begins with its others.
    const fault = { kind: "status", status: 403, code: "AccessDenied" } as const;
    proxy.rule({ matches: ({ query }) => query.has("delete"), from: 2, count: 1, fault });
    const body = { prefix: "a/", versions: true };
    const { id } = await startJob(client, `${bucket}/objects/delete-prefix`, body);
    const failed = await ended(client, id);
    assert.deepEqual([failed.state, failed.error?.code], ["failed", "forbidden"]);
    await json(client.post(`/api/jobs/${id}/retry`), 202);
    const done = await ended(client, id);
    assert.deepEqual([done.state, done.failed], ["done", 0]);
    const { Versions, DeleteMarkers } = await s3.send(new ListObjectVersionsCommand({ Bucket: bucketName }));
    assert.deepEqual([Versions ?? [], DeleteMarkers ?? []], [[], []]);
  });
});

upstreamTest(["minio"], "after the program was killed, a retry makes no second copies", async (upstream) => {
  await withStage(upstream, async ({ client, bucket, proxy, s3, program }) => {
    const names = numbered("", 100).map((name) => `${name}.txt`);
    await seed(s3, bucketName, names.map((name) => `k/${name}`));
    await seed(s3, bucketName, ["l/00003.txt", "l/00060.txt"], "older");
    const held = holdRequests(proxy, isCopy, 50);
    const body = { src_prefix: "k/", dst_prefix: "l/", on_conflict: "keep_both" };
    const { id } = await startJob(client, `${bucket}/objects/copy-prefix`, body);
    await held.reached;
    // What is saved lags behind what is done.
    await until(async () => (await getJob(client, id)).done >= 40, { what: "the job to get on" });
    program.child.signal("SIGKILL");
    await program.child.exited;
    held.release();
    proxy.clear();

    const backends = [{ id: backendId, upstream: proxy }];
    await withProgram({ backends, directory: program.directory }, async (second) => {
      const again = await second.signedIn();
      assert.equal((await getJob(again, id)).state, "interrupted");
      await json(again.post(`/api/jobs/${id}/retry`), 202);
      const job = await ended(again, id);
      assert.deepEqual([job.state, job.done, job.skipped, job.failed], ["done", 100, 0, 0]);
      const expected = [...names.map((name) => `l/${name}`), "l/00003 (1).txt", "l/00060 (1).txt"].sort();
      assert.deepEqual((await keysIn(s3, bucketName, "l/")).sort(), expected);
      const removal = { json: { prefix: "l/0000" } };
      assert.equal((await json(again.post(`${bucket}/objects/delete-prefix`, removal))).deleted, 11);
    });
  });
});
