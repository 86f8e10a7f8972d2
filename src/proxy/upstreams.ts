import { type BucketAddress, bucketAddress } from "../backends/address.ts";
import type { Backend } from "../backends/backend.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { Http1Client } from "../http1/client.ts";
import type { ClientCall } from "../http1/client_call.ts";
import { HeaderList } from "../http1/header_list.ts";
import type { Watchdog } from "../http1/watchdog.ts";
import { Problem } from "../problem.ts";
import { emptyHash } from "../sigv4/canonical.ts";
import { Signer, signingTime } from "../sigv4/sign.ts";
import { S3Error } from "./s3_error.ts";

/** A request that is to be sent to a backend. */
export interface UpstreamRequest {
  readonly method: string;
  readonly bucket: string;
  /** The key, percent-encoded; empty for the bucket itself. */
  readonly encodedKey: string;
  /** The query in canonical form, without its `?`. */
  readonly query: string;
  /** Headers besides those of the transport and of the signature. */
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body?: UpstreamBody;
  /** Milliseconds until the answer has to begin; a minute unless told. */
  readonly timeoutMs?: number;
}

/** What a backend is sent besides a head. */
export interface UpstreamBody {
  /** Bytes. */
  readonly length: number;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
  /** What the signature says of it: `x-amz-content-sha256`. */
  readonly payloadHash: string;
}

const answerTimeoutMs = 60_000;

/** Addresses of buckets that are kept for each backend. */
const maxAddresses = 1000;

/** The backends as the S3 endpoint reaches them: over connections of its own, with requests signed by their keys. */
export class Upstreams {
  readonly #registry: BackendRegistry;
  readonly #watchdog: Watchdog;
  readonly #clock: () => number;
  readonly #upstreams = new Map<string, Upstream>();

  /** `clock` is in milliseconds since the epoch. */
  constructor(registry: BackendRegistry, watchdog: Watchdog, clock: () => number) {
    this.#registry = registry;
    this.#watchdog = watchdog;
    this.#clock = clock;
    registry.onChange((id) => {
      this.#upstreams.get(id)?.close();
      this.#upstreams.delete(id);
    });
  }

  /** The way to an enabled backend. Throws {@link S3Error} `ServiceUnavailable` for one that cannot be used. */
  find(id: string): Upstream {
    const known = this.#upstreams.get(id);
    if (known !== undefined) return known;
    const upstream = new Upstream(this.#describe(id), this.#watchdog, this.#clock);
    this.#upstreams.set(id, upstream);
    return upstream;
  }

  /** Closes every connection that is not in use. */
  close(): void {
    for (const upstream of this.#upstreams.values()) upstream.close();
  }

  #describe(id: string): Backend {
    try {
      return this.#registry.connect(id).backend;
    } catch (cause) {
      if (!(cause instanceof Problem)) throw cause;
      throw new S3Error("ServiceUnavailable", "The storage behind this bucket is not available.", {
        result: "upstream_error",
        reason: "backend_unavailable",
        cause,
      });
    }
  }
}

/** The way to one backend. */
export class Upstream {
  readonly backend: Backend;
  /** Its host and port, which no answer may name. */
  readonly authority: string;
  readonly #watchdog: Watchdog;
  readonly #clock: () => number;
  readonly #signer: Signer | undefined;
  /** By origin: where buckets are addressed in the host name, there is one for each. */
  readonly #clients = new Map<string, Http1Client>();
  readonly #addresses = new Map<string, BucketAddress>();
  /** What the server calls itself; `undefined` before its first answer. */
  #server: string | undefined;

  constructor(backend: Backend, watchdog: Watchdog, clock: () => number) {
    this.backend = backend;
    this.authority = new URL(backend.endpoint).host;
    this.#watchdog = watchdog;
    this.#clock = clock;
    const { credentials, region } = backend;
    this.#signer = credentials &&
      new Signer({ accessKeyId: credentials.accessKey, secretKey: credentials.secretKey, region });
  }

  /** Takes note of who answers. */
  noteAnswer(headers: HeaderList): void {
    this.#server ??= headers.get("server") ?? "";
  }

  /**
   * Whether the server makes an object of what it got when a plain body is broken off, as versitygw does beyond some MiB.
   * `undefined` as long as it has not answered anything.
   */
  get keepsCutOffBodies(): boolean | undefined {
    return this.#server === undefined ? undefined : /versity/i.test(this.#server);
  }

  /** Signs a request and starts it. */
  call(request: UpstreamRequest): ClientCall {
    const { method, bucket, encodedKey, query, body } = request;
    const { origin, host, pathPrefix } = this.#addressOf(bucket);
    const path = `${pathPrefix}/${encodedKey}`;
    const headers = new HeaderList();
    headers.append("host", host);
    headers.append("x-amz-date", signingTime(this.#clock()));
    headers.append("x-amz-content-sha256", body?.payloadHash ?? emptyHash);
    for (const [name, value] of request.headers) headers.append(name, value);
    // Set, since an object has to arrive as it was stored.
    if (!headers.has("accept-encoding")) headers.append("accept-encoding", "identity");
    if (body !== undefined || method === "PUT" || method === "POST") {
      headers.append("content-length", String(body?.length ?? 0));
    }
    if (this.#signer !== undefined) {
      headers.append("authorization", this.#signer.authorization({ method, path, query, headers }));
    }
    let headerLines = "";
    for (const [name, value] of headers) headerLines += `${name}: ${value}\r\n`;
    return this.#clientOf(origin).call({
      method,
      target: query === "" ? path : `${path}?${query}`,
      headerLines,
      body: body?.content,
      // Not a deletion: done twice it leaves two delete markers in a bucket with versions.
      repeatable: method === "GET" || method === "HEAD",
      timeoutMs: request.timeoutMs ?? answerTimeoutMs,
    });
  }

  /** Closes every connection that is not in use. */
  close(): void {
    for (const client of this.#clients.values()) client.close();
  }

  #addressOf(bucket: string): BucketAddress {
    const known = this.#addresses.get(bucket);
    if (known !== undefined) return known;
    const address = bucketAddress(this.backend, bucket);
    if (this.#addresses.size >= maxAddresses) this.#addresses.clear();
    this.#addresses.set(bucket, address);
    return address;
  }

  #clientOf(origin: string): Http1Client {
    let client = this.#clients.get(origin);
    if (client === undefined) {
      client = new Http1Client(origin, this.#watchdog);
      this.#clients.set(origin, client);
    }
    return client;
  }
}
