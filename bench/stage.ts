import { CreateBucketCommand, PutBucketPolicyCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { json } from "../tests/support/http_client.ts";
import { type Program, withProgram } from "../tests/support/program.ts";
import { s3Client } from "../tests/support/s3_client.ts";
import { type Upstream, type UpstreamKind, withUpstream } from "../tests/support/upstreams.ts";
import { buckets, seedObjects } from "./cases.ts";
import type { Side } from "./signed_exchange.ts";

/** An upstream that holds what the cases need, and what is measured against it. */
export interface Stage {
  readonly direct: Side;
  readonly upstreamPid: number;
  readonly endpoint: Side;
  readonly programPid: number;
}

/** What {@link withStage} sets up. */
export interface StageOptions {
  readonly upstream: UpstreamKind;
  /** Runs the program in place of the usual command line. */
  readonly command?: readonly string[];
  /** Puts the upstream itself in the place of the endpoint. */
  readonly withoutProgram?: boolean;
}

const backend = "main";

/** Above what can be reached here. */
const unlimitedRequestsPerSecond = 1_000_000;

/** Runs `body` with a fresh upstream and the real program in front of it. */
export async function withStage<T>(options: StageOptions, body: (stage: Stage) => Promise<T>): Promise<T> {
  return await withUpstream(options.upstream, async (upstream) => {
    await seed(upstream);
    const { accessKey, secretKey, pid } = upstream;
    if (pid === undefined) throw new Error(`${options.upstream} has no process of its own`);
    const direct = sideOf("direct", upstream.endpoint, upstream, accessKey, secretKey);
    if (options.withoutProgram) {
      const endpoint = { ...direct, name: "endpoint" } as const;
      return await body({ direct, upstreamPid: pid, endpoint, programPid: pid });
    }
    const programOptions = {
      backends: [{ id: backend, upstream }],
      config: {
        s3_proxy: {
          enabled: true,
          listen: "127.0.0.1:0",
          anonymous_enabled: true,
          anonymous_rps: unlimitedRequestsPerSecond,
        },
      },
      command: options.command,
    };
    return await withProgram(programOptions, async (program) => {
      const keys = await grant(program);
      const endpoint = sideOf(
        "endpoint",
        await program.proxyUrl(),
        upstream,
        keys.access_key,
        keys.secret_key,
      );
      return await body({ direct, upstreamPid: pid, endpoint, programPid: program.child.pid });
    });
  });
}

async function seed(upstream: Upstream): Promise<void> {
  using s3 = s3Client(upstream);
  for (const Bucket of Object.values(buckets)) await s3.send(new CreateBucketCommand({ Bucket }));
  for (const Bucket of [buckets.read, buckets.open]) {
    for (const { key, content } of seedObjects) {
      await s3.send(new PutObjectCommand({ Bucket, Key: key, Body: content.bytes }));
    }
  }
  const policy = {
    Version: "2012-10-17",
    Statement: [{
      Effect: "Allow",
      Principal: "*",
      Action: ["s3:GetObject"],
      Resource: [`arn:aws:s3:::${buckets.open}/*`],
    }],
  };
  await s3.send(new PutBucketPolicyCommand({ Bucket: buckets.open, Policy: JSON.stringify(policy) }));
}

/** Makes a credential for every bucket but `foreign`, and lets everybody read `open`. */
async function grant(program: Program): Promise<{ access_key: string; secret_key: string }> {
  const client = await program.signedIn();
  const binding = {
    backend_id: backend,
    bucket: buckets.open,
    mode: "ReadOnly",
    per_source_ip_rps: unlimitedRequestsPerSecond,
  };
  await json(client.post("/api/admin/s3-anonymous", { json: binding }), 201);
  const scope = { backend_id: backend, buckets: [buckets.read, buckets.open, buckets.write] };
  return await json(client.post("/api/admin/s3-credentials", { json: scope }), 201);
}

function sideOf(
  name: Side["name"],
  url: string,
  { region }: Upstream,
  accessKeyId: string,
  secretKey: string,
): Side {
  const { hostname, port } = new URL(url);
  return { name, hostname, port: Number(port), identity: { accessKeyId, secretKey, region } };
}
