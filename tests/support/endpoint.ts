import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from "@aws-sdk/client-s3";
import { type Client, json } from "./http_client.ts";
import { type Program, withProgram } from "./program.ts";
import { s3Client } from "./s3_client.ts";
import { type Upstream, type UpstreamKind, withUpstream } from "./upstreams.ts";

/** Id of the backend behind the endpoint. */
export const endpointBackend = "main";

const defaultBuckets = ["bucket"];

/** A key pair of the endpoint. */
export interface EndpointKeys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** The program with an upstream behind its S3 endpoint. */
export interface Endpoint extends EndpointKeys {
  /** Base URL of the S3 endpoint, without a trailing slash. */
  readonly url: string;
  readonly region: string;
  readonly upstream: Upstream;
  readonly program: Program;
  /** Signed in to the dashboard as an administrator. */
  readonly client: Client;
  /** Makes another credential; `scope` are the keys of the API's request besides `backend_id`. */
  mint(scope: { readonly buckets: readonly string[] } & Record<string, unknown>): Promise<EndpointKeys>;
}

/** What {@link withEndpoint} starts. */
export interface EndpointOptions {
  /** Made in the upstream, and what the credential of {@link Endpoint} may reach; one called `bucket` unless told. */
  readonly buckets?: readonly string[];
  /** Keys of `s3_proxy` in the configuration. */
  readonly proxy?: Record<string, unknown>;
  /** Other keys of the configuration. */
  readonly config?: Record<string, unknown>;
}

/** Runs `body` with a fresh upstream of `kind` behind the real program, whose S3 endpoint listens on a random port. */
export function withEndpoint<T>(
  kind: UpstreamKind,
  options: EndpointOptions,
  body: (endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  const { buckets = defaultBuckets, proxy = {} } = options;
  return withUpstream(kind, async (upstream) => {
    using s3 = s3Client(upstream);
    for (const bucket of buckets) await s3.send(new CreateBucketCommand({ Bucket: bucket }));
    const config = { ...options.config, s3_proxy: { enabled: true, listen: "127.0.0.1:0", ...proxy } };
    return await withProgram({ backends: [{ id: endpointBackend, upstream }], config }, async (program) => {
      const client = await program.signedIn();
      const mint: Endpoint["mint"] = async (scope) => {
        const request = client.post("/api/admin/s3-credentials", {
          json: { backend_id: endpointBackend, ...scope },
        });
        const { access_key, secret_key } = await json(request, 201);
        return { accessKey: access_key, secretKey: secret_key };
      };
      const keys = await mint({ buckets });
      const url = await program.proxyUrl();
      return await body({ ...keys, url, region: upstream.region, upstream, program, client, mint });
    });
  });
}

/** An endpoint that is held open until it is told to end. */
interface HeldEndpoint {
  readonly endpoint: Endpoint;
  end(): Promise<void>;
}

/** The endpoints that the tests of a file share, by what was asked for. */
const shared = new Map<string, Promise<HeldEndpoint>>();

Deno.test.afterAll(async () => {
  for (const held of await Promise.allSettled(shared.values())) {
    if (held.status === "fulfilled") await held.value.end();
  }
});

/**
 * As {@link withEndpoint}, but with the same endpoint for all tests of a file that ask alike, which take a while to start.
 * Its buckets are emptied before; for tests that leave nothing else behind: no versions, no quota, no settings.
 */
export async function withSharedEndpoint<T>(
  kind: UpstreamKind,
  options: EndpointOptions,
  body: (endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  const wanted = JSON.stringify([kind, options]);
  const held = shared.get(wanted) ?? hold(kind, options);
  shared.set(wanted, held);
  const { endpoint } = await held;
  using s3 = s3Client(endpoint.upstream);
  for (const bucket of options.buckets ?? defaultBuckets) await empty(s3, bucket);
  return await body(endpoint);
}

function hold(kind: UpstreamKind, options: EndpointOptions): Promise<HeldEndpoint> {
  const release = Promise.withResolvers<void>();
  return new Promise((resolve, reject) => {
    const ended = withEndpoint(kind, options, async (endpoint) => {
      resolve({
        endpoint,
        end() {
          release.resolve();
          return ended;
        },
      });
      await release.promise;
    });
    ended.catch(reject);
  });
}

async function empty(s3: S3Client, Bucket: string): Promise<void> {
  const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
  for (const { Key, UploadId } of Uploads) {
    await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  }
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  if (Contents.length === 0) return;
  const Objects = Contents.map(({ Key }) => ({ Key }));
  await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
}
