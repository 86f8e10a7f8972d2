import {
  algorithm,
  canonicalRequest,
  encodeRfc3986,
  scopeText,
  sha256Hex,
  signingKey,
  stringToSign,
} from "../src/sigv4/canonical.ts";
import { Signer, type SigningIdentity, unsignedPayload } from "../src/sigv4/sign.ts";
import type { Exchange } from "./connection.ts";

/** An S3 server to drive: the upstream itself, or the endpoint before it. */
export interface Side {
  /** Tells the objects of one side from those of the other. */
  readonly name: "direct" | "endpoint";
  readonly hostname: string;
  readonly port: number;
  readonly identity: SigningIdentity;
}

/** What is asked, and the answer that counts as a success. */
export interface ExchangeOptions {
  readonly method: string;
  /** Percent-encoded path. */
  readonly path: string;
  /** Raw query, without `?`. */
  readonly query?: string;
  /** Signed where S3 asks for that: `content-md5`, `content-type` and `x-amz-*`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** SHA-256 of {@link body} in hexadecimal. */
  readonly bodyHash?: string;
  readonly status: number;
  readonly content?: Uint8Array;
}

/** What AWS SDKs send with every request besides what they sign. */
const clientHeaders = [
  ["user-agent", "aws-sdk-bench/1.0 ua/2.1 os/linux lang/ts md/bench"],
  ["accept-encoding", "identity"],
  ["amz-sdk-invocation-id", "6f3a1f0e-5d3c-4d4c-9a0d-6c1d0c5f7b11"],
  ["amz-sdk-request", "attempt=1; max=3"],
] as const;

const emptyHash = sha256Hex("");

/** Bodies up to this size are sent in one piece with the head, as clients do. */
const inlineBodyBytes = 1 << 16;

const presignedForSeconds = 3600;

/** Makes requests to one side, each signed at a given time (milliseconds since the epoch). */
export class RequestFactory {
  readonly #side: Side;
  readonly #host: string;
  readonly #signer: Signer;

  constructor(side: Side) {
    this.#side = side;
    this.#host = `${side.hostname}:${side.port}`;
    this.#signer = new Signer(side.identity);
  }

  /** A request with a signature in its `Authorization` header. */
  signed(options: ExchangeOptions, now: number): Exchange {
    return this.#signedHead(options, now, (authorization) => authorization);
  }

  /** A request of a known key whose signature is wrong. */
  forged(options: ExchangeOptions, now: number): Exchange {
    return this.#signedHead(
      options,
      now,
      (authorization) =>
        authorization.replace(/[0-9a-f]{8}$/, (end) => end === "00000000" ? "11111111" : "00000000"),
    );
  }

  /** A request without any signature. */
  anonymous(options: ExchangeOptions): Exchange {
    return assemble(options, options.query ?? "", [["host", this.#host], ...clientHeaders]);
  }

  /** A request with its signature in the query: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html */
  presigned(options: ExchangeOptions, now: number): Exchange {
    const { accessKeyId, secretKey, region } = this.#side.identity;
    const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
    const scope = { date: time.slice(0, 8), region, service: "s3" };
    const headers = new Headers({ host: this.#host });
    const query = [
      `X-Amz-Algorithm=${algorithm}`,
      `X-Amz-Credential=${encodeRfc3986(`${accessKeyId}/${scopeText(scope)}`)}`,
      `X-Amz-Date=${time}`,
      `X-Amz-Expires=${presignedForSeconds}`,
      "X-Amz-SignedHeaders=host",
    ].join("&");
    const canonical = canonicalRequest(
      { method: options.method, path: options.path, query, headers },
      ["host"],
      unsignedPayload,
    );
    const signature = signingKey(secretKey, scope).hex(stringToSign(time, scope, canonical));
    return assemble(options, `${query}&X-Amz-Signature=${signature}`, [
      ["host", this.#host],
      ...clientHeaders,
    ]);
  }

  #signedHead(options: ExchangeOptions, now: number, change: (authorization: string) => string): Exchange {
    const { method, path, query = "", body, bodyHash } = options;
    const headers = new Headers({ host: this.#host, ...options.headers });
    const hash = bodyHash ?? (body === undefined ? emptyHash : sha256Hex(body));
    this.#signer.sign({ method, path, query, headers }, hash, now);
    headers.set("authorization", change(headers.get("authorization") ?? ""));
    return assemble(options, query, [...headers, ...clientHeaders]);
  }
}

function assemble(
  { method, path, body, status, content }: ExchangeOptions,
  query: string,
  headers: Iterable<readonly [string, string]>,
): Exchange {
  let text = `${method} ${path}${query === "" ? "" : `?${query}`} HTTP/1.1\r\n`;
  for (const [name, value] of headers) text += `${name}: ${value}\r\n`;
  if (body !== undefined || method === "PUT" || method === "POST") {
    text += `content-length: ${body?.length ?? 0}\r\n`;
  }
  const head = new TextEncoder().encode(`${text}\r\n`);
  const common = { isHead: method === "HEAD", status, content };
  if (body === undefined) return { head, ...common };
  if (body.length > inlineBodyBytes) return { head, body, ...common };
  const whole = new Uint8Array(head.length + body.length);
  whole.set(head);
  whole.set(body, head.length);
  return { head: whole, ...common };
}
