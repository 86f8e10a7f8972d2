import assert from "node:assert/strict";
import { DeleteObjectCommand } from "@aws-sdk/client-s3";
import { Database } from "../../src/store/database.ts";
import { listOwnUploads } from "../../src/store/own_uploads_repository.ts";
import { json, refusal } from "../support/http_client.ts";
import { ended, getJob, holdRequests, startJob } from "../support/jobs.ts";
import type { ProxiedRequest } from "../support/fault_rules.ts";
import { until } from "../support/poll.ts";
import { type Program, withProgram } from "../support/program.ts";
import {
  brokenTest,
  type CopyStage,
  digest,
  mebibyte,
  pattern,
  type Proxies,
  transferTest,
} from "./copy_stage.ts";

const size = 20 * mebibyte;
const content = pattern(size);
const isSecondPart = ({ method, query }: ProxiedRequest) =>
  method === "PUT" && query.get("partNumber") === "2";

function startCopy({ client, source, target }: CopyStage, body: Record<string, unknown> = {}) {
  const request = { src_key: "a", dst_key: "b", dst_backend: "to", dst_bucket: target.bucket, ...body };
  return startJob(client, `${source.path}/object/copy`, request);
}

/** Ends the program at once, starts it again on what it has left, and retries a job until that has ended. */
async function retryAfterKill({ program, target }: CopyStage, proxies: Proxies, id: string) {
  await kill(program);
  const backends = [{ id: "from", upstream: proxies.source }, { id: "to", upstream: proxies.target }];
  return await withProgram({ backends, directory: program.directory }, async (second) => {
    const client = await second.signedIn();
    assert.equal((await getJob(client, id)).state, "interrupted");
    await json(client.post(`/api/jobs/${id}/retry`), 202);
    const job = await ended(client, id);
    await until(async () => await target.uploads() === 0, { what: "the first upload to be aborted" });
    return job;
  });
}

/** How many uploads the program has on disk as its own. */
function ownUploads({ databasePath }: Program): number {
  const database = new Database(databasePath);
  try {
    return listOwnUploads(database).length;
  } finally {
    database.close();
  }
}

async function kill(program: Program): Promise<void> {
  program.child.signal("SIGKILL");
  await program.child.exited;
}

transferTest("a copy goes on as a job without its client", async (stage) => {
  const { source, target, client } = stage;
  await source.put("a", content);
  const { id, kind } = await startCopy(stage, { move: true, metadata: { by: "job" } });
  assert.equal(kind, "transfer");
  const job = await ended(client, id);
  assert.deepEqual([job.state, job.done, job.failed, job.bytes], ["done", 1, 0, size]);
  assert.equal(digest(await target.read("b")), digest(content));
  assert.deepEqual((await target.head("b")).Metadata, { by: "job" });
  assert.deepEqual(await source.keys(), []);
  assert.equal(await refusal(client.post(`/api/jobs/${id}/retry`)), "409 conflict");

  const failed = await startCopy(stage, { src_key: "none" });
  const { state, error } = await ended(client, failed.id);
  assert.deepEqual([state, error?.code], ["failed", "not_found"]);
  for (const body of [{ dst_key: "" }, { dst_backend: "from", dst_bucket: source.bucket, dst_key: "a" }]) {
    await assert.rejects(startCopy(stage, body), /40[04]/);
  }
}, ["minio", "versitygw"]);

const oneWay = [["minio", "versitygw"]] as const;

brokenTest("a copy that is stopped leaves nothing, and can be done again", async (stage, proxies) => {
  const { source, target, client } = stage;
  await source.put("a", content);
  const held = holdRequests(proxies.target, isSecondPart);
  const { id } = await startCopy(stage, { move: true });
  await held.reached;
  await json(client.delete(`/api/jobs/${id}`), 202);
  held.release();
  assert.equal((await ended(client, id)).state, "stopped");
  await until(async () => await target.uploads() === 0, { what: "the upload to be aborted" });
  assert.deepEqual([await source.keys(), await target.keys()], [["a"], []]);

  await json(client.post(`/api/jobs/${id}/retry`), 202);
  const job = await ended(client, id);
  assert.deepEqual([job.state, job.done, job.bytes], ["done", 1, size]);
  assert.deepEqual([await source.keys(), await target.keys()], [[], ["b"]]);
}, oneWay);

brokenTest(
  "a copy that is killed with the program is done again, without a rest of the first",
  async (stage, proxies) => {
    const { source, target } = stage;
    await source.put("a", content);
    const held = holdRequests(proxies.target, isSecondPart);
    const { id } = await startCopy(stage, { if_absent: true });
    await held.reached;
    assert.equal(ownUploads(stage.program), 1, "the upload is not on disk");
    const retried = retryAfterKill(stage, proxies, id);
    await stage.program.child.exited;
    assert.equal(await target.uploads(), 1);
    held.release();
    const job = await retried;
    assert.deepEqual([job.state, job.done, job.bytes], ["done", 1, size]);
    assert.equal(digest(await target.read("b")), digest(content));
  },
  oneWay,
);

brokenTest("what a killed program has begun is gone soon after the next start", async (stage, proxies) => {
  const { source, target, client, program } = stage;
  await source.put("a/b", content);
  const held = holdRequests(proxies.target, isSecondPart);
  const request = { src_prefix: "a/", dst_prefix: "", dst_backend: "to", dst_bucket: target.bucket };
  await startJob(client, `${source.path}/objects/copy-prefix`, request);
  await held.reached;
  await kill(program);
  held.release();
  assert.equal(await target.uploads(), 1);
  const backends = [{ id: "from", upstream: proxies.source }, { id: "to", upstream: proxies.target }];
  await withProgram({ backends, directory: program.directory }, async (second) => {
    await until(async () => await target.uploads() === 0, { what: "the upload to be aborted" });
    await until(() => ownUploads(second) === 0, { what: "the upload to be forgotten" });
  });
  assert.deepEqual(await target.keys(), []);
}, oneWay);

brokenTest("a move that was killed when all was done but the last word is done", async (stage, proxies) => {
  const { source, target } = stage;
  await source.put("a", content);
  const isDeletion = ({ method }: ProxiedRequest) => method === "DELETE";
  const held = holdRequests(proxies.source, isDeletion);
  const { id } = await startCopy(stage, { move: true, if_absent: true });
  await held.reached;
  await source.sdk.send(new DeleteObjectCommand({ Bucket: source.bucket, Key: "a" }));
  const job = await retryAfterKill(stage, proxies, id);
  held.release();
  assert.deepEqual([job.state, job.done, job.failed], ["done", 1, 0], JSON.stringify(job));
  assert.deepEqual([await source.keys(), await target.keys()], [[], ["b"]]);
}, oneWay);
