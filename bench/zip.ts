/**
 * Downloads many small objects and one large one as a zip file. Prints when the first byte was there, objects and bytes a
 * second, and how far the program's resident set grew.
 *
 *     deno run --allow-all bench/zip.ts [--upstream=minio] [--objects=10000] [--size=5GiB] [--keep=archive.zip]
 */
import { parseArgs } from "node:util";
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import type { Client } from "../tests/support/http_client.ts";
import { type Program, withProgram } from "../tests/support/program.ts";
import { s3Client } from "../tests/support/s3_client.ts";
import { type Upstream, type UpstreamKind, withUpstream } from "../tests/support/upstreams.ts";
import { makeContents } from "./content.ts";
import { DirectLoad, directSide } from "./direct_load.ts";
import { residentBytes } from "./process_stats.ts";
import { mebibyte, parseSize } from "./sizes.ts";

const bucket = "zip-objects";
const smallBytes = 4096;
const partBytes = 64 * mebibyte;
const concurrency = 8;
const sampleIntervalMs = 20;

const { values } = parseArgs({
  options: {
    upstream: { type: "string", default: "minio" },
    objects: { type: "string", default: "10000" },
    size: { type: "string", default: "5GiB" },
    keep: { type: "string" },
  },
});
const objectCount = Number(values.objects);
const size = parseSize("size", values.size);

/** Writes the small objects under `small/`. */
async function seedSmall(upstream: Upstream): Promise<void> {
  const [{ bytes, hash }] = makeContents(1, smallBytes, 1);
  const put = { method: "PUT", body: bytes, bodyHash: hash, status: 200 };
  await new DirectLoad(directSide(upstream), concurrency).sendAll(
    Array.from({ length: objectCount }, (_, index) => index),
    (index, factory) => factory.signed({ ...put, path: `/${bucket}/small/${index}` }, Date.now()),
  );
}

/** Writes the large object in parts of the same bytes. */
async function seedLarge(s3: S3Client): Promise<void> {
  const place = { Bucket: bucket, Key: "large" };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(place));
  const bytes = new Uint8Array(partBytes);
  for (let offset = 0; offset < partBytes; offset += 65_536) {
    crypto.getRandomValues(bytes.subarray(offset, offset + 65_536));
  }
  const parts: CompletedPart[] = [];
  for (let start = 0; start < size; start += partBytes) {
    const part = { ...place, UploadId, PartNumber: parts.length + 1, Body: bytes.subarray(0, size - start) };
    const { ETag } = await s3.send(new UploadPartCommand(part));
    parts.push({ ETag, PartNumber: part.PartNumber });
  }
  await s3.send(
    new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts: parts } }),
  );
}

/** Downloads an archive and prints what that took. */
async function measure(program: Program, client: Client, prefix: string, objects: number): Promise<void> {
  const { pid } = program.child;
  const before = residentBytes(pid);
  let peak = before;
  const timer = setInterval(() => peak = Math.max(peak, residentBytes(pid)), sampleIntervalMs);
  const startedAt = performance.now();
  const answer = await client.get(`/api/backends/main/buckets/${bucket}/objects/zip?prefix=${prefix}`);
  if (answer.status !== 200) throw new Error(await answer.text());
  using file = values.keep === undefined
    ? undefined
    : await Deno.open(values.keep, { create: true, write: true, truncate: true });
  let firstByteMs: number | undefined;
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    firstByteMs ??= performance.now() - startedAt;
    bytes += piece.length;
    for (let written = 0; file !== undefined && written < piece.length;) {
      written += await file.write(piece.subarray(written));
    }
  }
  clearInterval(timer);
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `${`"${prefix}"`.padEnd(9)} first byte after ${firstByteMs?.toFixed(0)} ms, ${seconds.toFixed(1)} s, ` +
      `${(objects / seconds).toFixed(0)} objects/s, ${(bytes / mebibyte / seconds).toFixed(0)} MiB/s, ` +
      `resident set ${(before / mebibyte).toFixed(0)} MiB +${((peak - before) / mebibyte).toFixed(0)} MiB`,
  );
}

await withUpstream(values.upstream as UpstreamKind, async (upstream) => {
  using s3 = s3Client(upstream);
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  await seedSmall(upstream);
  await seedLarge(s3);
  await withProgram({ backends: [{ id: "main", upstream }] }, async (program) => {
    const client = await program.signedIn();
    await measure(program, client, "small/1", 1);
    await measure(program, client, "small/", objectCount);
    await measure(program, client, "large", 1);
    await measure(program, client, "", objectCount + 1);
  });
});
