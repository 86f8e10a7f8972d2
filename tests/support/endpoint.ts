import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { type Client, json } from "./http_client.ts";
import { type Program, withProgram } from "./program.ts";
import { s3Client } from "./s3_client.ts";
import { type Upstream, type UpstreamKind, withUpstream } from "./upstreams.ts";

/** Id of the backend behind the endpoint. */
export const endpointBackend = "main";

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
  const { buckets = ["bucket"], proxy = {} } = options;
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
