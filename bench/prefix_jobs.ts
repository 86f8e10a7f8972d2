/**
 * Copies a prefix of many small objects in a job and deletes the copy in another. Prints objects a second, as a share of
 * what the same requests reach straight at the upstream in the same run with the same concurrency (a sample of them, once
 * before and once after), the program's processor time for an object, its resident set and the jobs' progress events.
 *
 *     deno run --allow-all bench/prefix_jobs.ts [--upstream=minio] [--keys=100000] [--sample=5000]
 */
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { CreateBucketCommand, ListObjectsV2Command, type S3Client } from "@aws-sdk/client-s3";
import type { Client } from "../tests/support/http_client.ts";
import { type Program, withProgram } from "../tests/support/program.ts";
import { s3Client } from "../tests/support/s3_client.ts";
import { type UpstreamKind, withUpstream } from "../tests/support/upstreams.ts";
import { makeContents } from "./content.ts";
import { DirectLoad, directSide } from "./direct_load.ts";
import { type JobRunFigures, runJob } from "./job_run.ts";
import { mebibyte } from "./sizes.ts";

const bucket = "many-objects";

/** As many objects as a job works on at once. */
const concurrency = 8;
/** Objects that one request deletes; the most that S3 takes. */
const batchSize = 1000;
const objectBytes = 1024;

const { values } = parseArgs({
  options: {
    upstream: { type: "string", default: "minio" },
    keys: { type: "string", default: "100000" },
    sample: { type: "string", default: "5000" },
  },
});
const keyCount = Number(values.keys);
const sampleCount = Math.min(keyCount, Number(values.sample));

/** Path of an object under a prefix; a folder holds a thousand. */
function keyOf(prefix: string, index: number): string {
  return `${prefix}/${Math.floor(index / 1000)}/${index}`;
}

function* indexes(count: number): Generator<number> {
  for (let index = 0; index < count; index++) yield index;
}

async function seed(load: DirectLoad): Promise<void> {
  const [{ bytes, hash }] = makeContents(1, objectBytes, 1);
  const put = { method: "PUT", body: bytes, bodyHash: hash, status: 200 };
  const seconds = await load.sendAll(
    indexes(keyCount),
    (index, factory) => factory.signed({ ...put, path: `/${bucket}/${keyOf("source", index)}` }, Date.now()),
  );
  console.error(`${keyCount} objects written in ${seconds.toFixed(0)} s`);
}

/** Objects a second that are copied straight at the upstream. */
async function copyDirectly(load: DirectLoad): Promise<number> {
  const seconds = await load.sendAll(indexes(sampleCount), (index, factory) => {
    const headers = { "x-amz-copy-source": `/${bucket}/${keyOf("source", index)}` };
    const path = `/${bucket}/${keyOf("direct", index)}`;
    return factory.signed({ method: "PUT", path, headers, status: 200 }, Date.now());
  });
  return sampleCount / seconds;
}

/** Objects a second that are deleted straight at the upstream, in batches. */
async function deleteDirectly(load: DirectLoad): Promise<number> {
  const seconds = await load.sendAll(indexes(Math.ceil(sampleCount / batchSize)), (batch, factory) => {
    let objects = "";
    for (let index = batch * batchSize; index < Math.min(sampleCount, (batch + 1) * batchSize); index++) {
      objects += `<Object><Key>${keyOf("direct", index)}</Key></Object>`;
    }
    const body = new TextEncoder().encode(`<Delete><Quiet>true</Quiet>${objects}</Delete>`);
    const headers = { "content-md5": createHash("md5").update(body).digest("base64") };
    const request = { method: "POST", path: `/${bucket}`, query: "delete=", headers, body, status: 200 };
    return factory.signed(request, Date.now());
  });
  return sampleCount / seconds;
}

async function countKeys(s3: S3Client, prefix: string): Promise<number> {
  let count = 0;
  for (let token: string | undefined, isLast = false; !isLast;) {
    const page = await s3.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
    );
    count += page.KeyCount ?? 0;
    token = page.NextContinuationToken;
    isLast = token === undefined;
  }
  return count;
}

function requireSuccess({ job }: JobRunFigures): void {
  if (job.state !== "done" || job.failed > 0 || job.done !== keyCount) throw new Error(JSON.stringify(job));
}

function describe(name: string, figures: JobRunFigures, direct: number): string {
  const { seconds, processorMicroseconds, residentPeaks: [early, late], events } = figures;
  const speed = keyCount / seconds;
  return `${name.padEnd(13)} ${keyCount} objects in ${seconds.toFixed(1)} s: ${speed.toFixed(0)}/s,` +
    ` ${(speed / direct).toFixed(2)} of ${direct.toFixed(0)}/s directly,` +
    ` program CPU ${(processorMicroseconds / keyCount).toFixed(0)} µs an object,` +
    ` resident set at most ${(early / mebibyte).toFixed(0)} MiB in the first half` +
    ` and ${(late / mebibyte).toFixed(0)} MiB in the second,` +
    ` ${events} events, ${(events / seconds).toFixed(1)}/s`;
}

async function measure(program: Program, client: Client, load: DirectLoad, s3: S3Client): Promise<void> {
  const path = `/api/backends/main/buckets/${bucket}/objects`;
  const { pid } = program.child;
  const before = { copy: await copyDirectly(load), delete: await deleteDirectly(load) };
  const copy = await runJob(client, pid, `${path}/copy-prefix`, {
    src_prefix: "source/",
    dst_prefix: "copy/",
  });
  requireSuccess(copy);
  const copied = await countKeys(s3, "copy/");
  if (copied !== keyCount) throw new Error(`${copied} of ${keyCount} objects were copied`);
  const removal = await runJob(client, pid, `${path}/delete-prefix`, { prefix: "copy/" });
  requireSuccess(removal);
  const left = await countKeys(s3, "copy/");
  if (left !== 0) throw new Error(`${left} objects were not deleted`);
  const after = { copy: await copyDirectly(load), delete: await deleteDirectly(load) };
  console.log(`${objectBytes}-byte objects on ${values.upstream}, ${concurrency} at a time:`);
  console.log(describe("copy-prefix", copy, (before.copy + after.copy) / 2));
  console.log(describe("delete-prefix", removal, (before.delete + after.delete) / 2));
}

await withUpstream(values.upstream as UpstreamKind, async (upstream) => {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  await seed(new DirectLoad(directSide(upstream), 2 * concurrency));
  const load = new DirectLoad(directSide(upstream), concurrency);
  await withProgram({ backends: [{ id: "main", upstream }] }, async (program) => {
    await measure(program, await program.signedIn(), load, s3);
  });
});
