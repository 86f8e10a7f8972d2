import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { createHash } from "node:crypto";
import { type Client, json } from "../support/http_client.ts";
import { type Program, type ProgramOptions, withProgram } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault_proxy.ts";
import {
  skipUpstream,
  type Upstream,
  type UpstreamKind,
  upstreamTest,
  withUpstream,
} from "../support/upstreams.ts";

export const mebibyte = 1 << 20;

/** One end of a copy: a bucket on a backend of the program, and the way to its upstream past the program. */
export interface CopyEnd {
  readonly backend: string;
  readonly bucket: string;
  readonly sdk: S3Client;
  /** Path of the bucket in the API. */
  readonly path: string;
  put(key: string, body: Uint8Array | string, more?: Partial<PutObjectCommandInput>): Promise<void>;
  head(key: string): Promise<HeadObjectCommandOutput>;
  read(key: string): Promise<Uint8Array>;
  tags(key: string): Promise<Record<string, string>>;
  keys(): Promise<string[]>;
  /** Unfinished multipart uploads. */
  uploads(): Promise<number>;
}

/** The program in front of two upstreams, with a bucket in each. */
export interface CopyStage {
  readonly program: Program;
  readonly client: Client;
  readonly source: CopyEnd;
  readonly target: CopyEnd;
  /** Copies from source to target, unless told otherwise. */
  copy(body: Record<string, unknown>, headers?: Record<string, string>): Promise<Response>;
}

/** Runs `body` with two upstreams; `proxies` stand in front of them for the program. */
export async function withCopyStage(
  upstreams: { readonly source: Upstream; readonly target: Upstream },
  body: (stage: CopyStage) => Promise<void>,
  options: ProgramOptions & { readonly proxies?: { source?: FaultProxy; target?: FaultProxy } } = {},
): Promise<void> {
  const { source, target } = upstreams;
  const backends = [
    { id: "from", upstream: options.proxies?.source ?? source },
    { id: "to", upstream: options.proxies?.target ?? target },
  ];
  using sourceSdk = s3Client(source);
  using targetSdk = s3Client(target);
  await withProgram({ ...options, backends }, async (program) => {
    const client = await program.signedIn();
    const ends = {
      source: await copyEnd("from", "source-bucket", sourceSdk),
      target: await copyEnd("to", "target-bucket", targetSdk),
    };
    const { path } = ends.source;
    await body({
      program,
      client,
      ...ends,
      copy: (request, headers) =>
        client.post(`${path}/object/copy`, {
          json: { dst_backend: "to", dst_bucket: "target-bucket", ...request },
          headers,
        }),
    });
  });
}

/** The proxies between the program and the upstreams of {@link brokenTest}. */
export interface Proxies {
  readonly source: FaultProxy;
  readonly target: FaultProxy;
}

/** Registers a test like {@link transferTest} whose upstreams are behind proxies. */
export function brokenTest(
  name: string,
  body: (stage: CopyStage, proxies: Proxies) => Promise<void>,
  directions: readonly (readonly [from: UpstreamKind, to: UpstreamKind])[] = [
    ["minio", "versitygw"],
    ["versitygw", "minio"],
  ],
): void {
  for (const [from, to] of directions) {
    Deno.test({
      name: `${name} [${from} to ${to}]`,
      ignore: skipUpstream(from) || skipUpstream(to),
      fn: () =>
        withUpstream(from, (source) =>
          withUpstream(to, async (target) => {
            const proxies = { source: startFaultProxy(source), target: startFaultProxy(target) };
            try {
              await withCopyStage({ source, target }, (stage) => body(stage, proxies), { proxies });
            } finally {
              await proxies.source.stop();
              await proxies.target.stop();
            }
          })),
    });
  }
}

/** Registers a test for each pair of different upstreams among `kinds`, in both directions. */
export function transferTest(
  name: string,
  body: (stage: CopyStage, context: Deno.TestContext) => Promise<void>,
  kinds: readonly UpstreamKind[] = ["minio", "versitygw"],
): void {
  for (const from of kinds) {
    for (const to of kinds) {
      if (from === to) continue;
      Deno.test({
        name: `${name} [${from} to ${to}]`,
        ignore: skipUpstream(from) || skipUpstream(to),
        fn: (context) =>
          withUpstream(
            from,
            (source) =>
              withUpstream(
                to,
                (target) => withCopyStage({ source, target }, (stage) => body(stage, context)),
              ),
          ),
      });
    }
  }
}

/** Registers a test of copies within one upstream: its two buckets are on both backends, `from` is meant. */
export function copyTest(
  name: string,
  body: (stage: CopyStage, context: Deno.TestContext) => Promise<void>,
  kinds: readonly UpstreamKind[] = ["minio", "versitygw"],
): void {
  upstreamTest(
    kinds,
    name,
    (upstream, context) =>
      withCopyStage({ source: upstream, target: upstream }, ({ copy, ...stage }) =>
        body({
          ...stage,
          copy: (request, headers) => copy({ dst_backend: "from", ...request }, headers),
        }, context)),
  );
}

/** Stores an object in parts of the sizes that are given. */
export async function putInParts(
  { sdk, bucket: Bucket }: CopyEnd,
  Key: string,
  content: Uint8Array,
  sizes: number[],
  more: Partial<CreateMultipartUploadCommandInput> = {},
): Promise<void> {
  const { ChecksumAlgorithm, ChecksumType } = more;
  const { UploadId } = await sdk.send(new CreateMultipartUploadCommand({ Bucket, Key, ...more }));
  const Parts: CompletedPart[] = [];
  let start = 0;
  for (const [index, size] of sizes.entries()) {
    const PartNumber = index + 1;
    const Body = content.subarray(start, start += size);
    const sent = await sdk.send(
      new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body, ChecksumAlgorithm }),
    );
    const { ETag, ChecksumCRC32, ChecksumSHA256, ChecksumCRC64NVME } = sent;
    // The client adds a checksum of its own accord, which versitygw does not take at the end.
    const checksums = ChecksumAlgorithm && { ChecksumCRC32, ChecksumSHA256, ChecksumCRC64NVME };
    Parts.push({ PartNumber, ETag, ...checksums });
  }
  await sdk.send(
    new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, ChecksumType, MultipartUpload: { Parts } }),
  );
}

/** SHA-256 in hexadecimal. */
export function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Bytes that do not repeat within a part, so that a swapped or lost piece shows. */
export function pattern(size: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  const words = new Uint32Array(bytes.buffer, 0, size >> 2);
  for (let index = 0, state = seed; index < words.length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    words[index] = state;
  }
  return bytes;
}

/** The answer to a copy that succeeded. */
// deno-lint-ignore no-explicit-any
export function copied(answer: Response | Promise<Response>): Promise<any> {
  return json(answer, 200);
}

/** Creates a bucket, which is one end of copies. */
export async function copyEnd(backend: string, bucket: string, sdk: S3Client): Promise<CopyEnd> {
  await sdk.send(new CreateBucketCommand({ Bucket: bucket }));
  const place = (Key: string) => ({ Bucket: bucket, Key });
  return {
    backend,
    bucket,
    sdk,
    path: `/api/backends/${backend}/buckets/${bucket}`,
    async put(key, body, more = {}) {
      await sdk.send(new PutObjectCommand({ ...place(key), Body: body, ...more }));
    },
    head: (key) => sdk.send(new HeadObjectCommand({ ...place(key), ChecksumMode: "ENABLED" })),
    async read(key) {
      const { Body } = await sdk.send(new GetObjectCommand(place(key)));
      return await Body?.transformToByteArray() ?? new Uint8Array(0);
    },
    async tags(key) {
      const { TagSet = [] } = await sdk.send(new GetObjectTaggingCommand(place(key)));
      return Object.fromEntries(TagSet.map(({ Key, Value }) => [Key, Value]));
    },
    async keys() {
      const { Contents = [] } = await sdk.send(new ListObjectsV2Command({ Bucket: bucket }));
      return Contents.map(({ Key = "" }) => Key);
    },
    async uploads() {
      const { Uploads = [] } = await sdk.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
      return Uploads.length;
    },
  };
}
