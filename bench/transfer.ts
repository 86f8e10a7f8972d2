/**
 * Transfers one large object from MinIO to another backend in a job, to versitygw and to a second MinIO. Prints the rate as
 * a share of what a plain pipe of the same parts reaches in the same run, and how far the program's resident set grew; checks
 * the size and the ETag of what has arrived.
 *
 *     deno run --allow-all bench/transfer.ts [--targets=versitygw,minio] [--size=6GiB] [--part-size=64MiB] [--concurrency=4]
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { Signer, unsignedPayload } from "../src/sigv4/sign.ts";
import { startChild } from "../tests/support/child.ts";
import { withProgram } from "../tests/support/program.ts";
import { s3Client } from "../tests/support/s3_client.ts";
import { type Upstream, type UpstreamKind, withUpstream } from "../tests/support/upstreams.ts";
import { runJob } from "./job_run.ts";
import type { PartPipe, SignedRequest } from "./part_pipe.ts";
import { mebibyte, parseSize } from "./sizes.ts";
import { contentETag, contentRange } from "./transfer_content.ts";

const bucket = "large-objects";
const key = "large";

const { values } = parseArgs({
  options: {
    targets: { type: "string", default: "versitygw,minio" },
    size: { type: "string", default: "6GiB" },
    "part-size": { type: "string", default: "64MiB" },
    concurrency: { type: "string", default: "4" },
  },
});
const size = parseSize("size", values.size);
const partBytes = parseSize("part-size", values["part-size"]);

/** Where the parts of the object begin, and how long they are. */
function parts(): { number: number; start: number; length: number }[] {
  return Array.from({ length: Math.ceil(size / partBytes) }, (_, index) => {
    const start = index * partBytes;
    return { number: index + 1, start, length: Math.min(partBytes, size - start) };
  });
}

async function seed(s3: S3Client): Promise<void> {
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  const place = { Bucket: bucket, Key: key };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(place));
  const uploaded: { PartNumber: number; ETag: string | undefined }[] = [];
  for (const { number, start, length } of parts()) {
    const part = { ...place, UploadId, PartNumber: number, Body: contentRange(start, length) };
    const { ETag } = await s3.send(new UploadPartCommand(part));
    uploaded.push({ PartNumber: number, ETag });
  }
  await s3.send(
    new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts: uploaded } }),
  );
}

function sign(
  upstream: Upstream,
  method: string,
  query: string,
  extra: Record<string, string> = {},
): SignedRequest {
  const url = new URL(`${upstream.endpoint}/${bucket}/${key}`);
  const headers = new Headers({ host: url.host, ...extra });
  const { accessKey: accessKeyId, secretKey, region } = upstream;
  new Signer({ accessKeyId, secretKey, region })
    .sign({ method, path: url.pathname, query, headers }, unsignedPayload, Date.now());
  return { url: `${url.href}${query === "" ? "" : `?${query}`}`, headers: Object.fromEntries(headers) };
}

/** Pipes all parts into an upload that is dropped then, and returns the rate in bytes a second. */
async function pipeDirectly(source: Upstream, target: Upstream, s3: S3Client): Promise<number> {
  const place = { Bucket: bucket, Key: key };
  const { UploadId = "" } = await s3.send(new CreateMultipartUploadCommand(place));
  const pipe: PartPipe = {
    concurrency: Number(values.concurrency),
    parts: parts().map(({ number, start, length }) => ({
      bytes: length,
      get: sign(source, "GET", "", { range: `bytes=${start}-${start + length - 1}` }),
      put: sign(target, "PUT", `partNumber=${number}&uploadId=${encodeURIComponent(UploadId)}`),
    })),
  };
  const script = fileURLToPath(new URL("./part_pipe.ts", import.meta.url));
  const child = startChild([Deno.execPath(), "run", "--quiet", "--allow-all", script], {
    stdin: JSON.stringify(pipe),
  });
  const { success } = await child.exited;
  await s3.send(new AbortMultipartUploadCommand({ ...place, UploadId }));
  if (!success) throw new Error(child.stderr.join("\n"));
  return size / Number(child.stdout[0]);
}

/** Throws unless the target holds the whole object, whatever parts it was sent in. */
async function requireArrived(s3: S3Client): Promise<void> {
  const place = { Bucket: bucket, Key: key };
  const { ContentLength, ETag = "" } = await s3.send(new HeadObjectCommand(place));
  if (ContentLength !== size) throw new Error(`${ContentLength} of ${size} bytes have arrived`);
  const first = ETag.includes("-")
    ? await s3.send(new HeadObjectCommand({ ...place, PartNumber: 1 }))
    : undefined;
  const expected = contentETag(size, first?.ContentLength);
  if (ETag !== `"${expected}"`) throw new Error(`the ETag is ${ETag} in place of ${expected}`);
}

async function measure(source: Upstream, kind: UpstreamKind): Promise<void> {
  await withUpstream(kind, async (target) => {
    using s3 = s3Client(target);
    await s3.send(new CreateBucketCommand({ Bucket: bucket }));
    const direct = await pipeDirectly(source, target, s3);
    const backends = [{ id: "source", upstream: source }, { id: "target", upstream: target }];
    await withProgram({ backends }, async (program) => {
      const body = { src_key: key, dst_key: key, dst_bucket: bucket, dst_backend: "target" };
      const path = `/api/backends/source/buckets/${bucket}/object/copy`;
      const figures = await runJob(await program.signedIn(), program.child.pid, path, body);
      const { job, seconds, residentPeaks, startResident, processorMicroseconds, events } = figures;
      if (job.state !== "done" || job.failed > 0) throw new Error(JSON.stringify(job));
      await requireArrived(s3);
      const speed = size / seconds;
      console.log(
        `MinIO to ${kind.padEnd(9)} ${values.size}: ${(speed / mebibyte).toFixed(0).padStart(4)} MiB/s,` +
          ` ${(speed / direct).toFixed(2)} of ${(direct / mebibyte).toFixed(0)} MiB/s piped,` +
          ` program CPU ${(processorMicroseconds / 1000 / (size / mebibyte)).toFixed(1)} ms a MiB,` +
          ` resident set +${((Math.max(...residentPeaks) - startResident) / mebibyte).toFixed(0)} MiB` +
          ` to ${(Math.max(...residentPeaks) / mebibyte).toFixed(0)} MiB, ${events} events`,
      );
    });
    await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  });
}

await withUpstream("minio", async (source) => {
  {
    using s3 = s3Client(source);
    await seed(s3);
  }
  for (const kind of values.targets.split(",")) await measure(source, kind as UpstreamKind);
});
