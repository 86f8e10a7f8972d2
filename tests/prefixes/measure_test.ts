import assert from "node:assert/strict";
import { bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal } from "../support/http_client.ts";
import { ended, startJob } from "../support/jobs.ts";
import { s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { numbered, seed } from "./seeding.ts";

const kinds = ["minio", "versitygw"] as const;

upstreamTest(kinds, "what is under a prefix is counted, by readers too", async (upstream) => {
  using s3 = s3Client(upstream);
  await withBucket(upstream, async ({ program, bucket }) => {
    const client = await program.signedIn("reader");
    await seed(s3, bucketName, numbered("a/", 1050), "content");
    await seed(s3, bucketName, ["b"], "outside");
    const figures = { count: 1050, bytes: 1050 * 7, first_key: "a/00000", last_key: "a/01049" };

    const { job, ...measured } = await json(
      client.post(`${bucket}/objects/measure`, { json: { prefix: "a/" } }),
    );
    assert.deepEqual(measured, figures);
    assert.deepEqual([job.kind, job.state, job.done, job.total], ["measure", "done", 1050, 1050]);
    const { id } = await startJob(client, `${bucket}/objects/measure`, { prefix: "" });
    assert.deepEqual({ ...await ended(client, id) }.done, 1051);

    const size = async (prefix: string) => {
      const { computed_at, ...rest } = await json(
        client.get(`${bucket}/prefix-size?prefix=${encodeURIComponent(prefix)}`),
      );
      assert.ok(Math.abs(Date.parse(computed_at) - Date.now()) < 60_000);
      return rest;
    };
    assert.deepEqual(await size("a/"), { prefix: "a/", bytes: 1050 * 7, count: 1050, truncated: false });
    assert.deepEqual(await size(""), { prefix: "", bytes: 1051 * 7, count: 1051, truncated: false });
    assert.deepEqual(await size("none/"), { prefix: "none/", bytes: 0, count: 0, truncated: false });

    const missing = bucket.replace(bucketName, "no-such-bucket");
    assert.equal(await refusal(client.get(`${missing}/prefix-size?prefix=`)), "404 not_found");
    assert.equal(
      await refusal(client.post(`${missing}/objects/measure`, { json: { prefix: "" } })),
      "404 not_found",
    );
    assert.equal(await refusal(client.get(`${bucket}/prefix-size?prefix=%00`)), "400 invalid_prefix");
    const copying = { json: { src_prefix: "a/", dst_prefix: "c/" } };
    assert.equal(await refusal(client.post(`${bucket}/objects/copy-prefix`, copying)), "403 forbidden");
    const deleting = { json: { prefix: "a/" } };
    assert.equal(await refusal(client.post(`${bucket}/objects/delete-prefix`, deleting)), "403 forbidden");
  }, { users: { admin: "admin", reader: "readonly" } });
});
