import {
  algorithm,
  canonicalRequest,
  sha256Hex,
  signingKey,
  stringToSign,
} from "../../../src/sigv4/canonical.ts";
import { HeaderList } from "../../../src/http1/header_list.ts";
import { signingTime } from "../../../src/sigv4/sign.ts";
import type { Endpoint } from "../../support/endpoint.ts";
import { exchangeRaw } from "../../support/raw_connection.ts";

/** Header lines in their order; names are lower-case. */
export type Lines = (readonly [name: string, value: string])[];

/** A request and what its signature says; everything has a default that is right. */
export interface SignaturePlan {
  readonly method?: string;
  readonly target?: string;
  readonly body?: string;
  /** Header lines besides those of the signature. */
  readonly headers?: Lines;
  /** Names that are signed; `host` and all `x-amz-` headers unless told. */
  readonly signedHeaders?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly at?: number;
  /** Day of the credential; that of `at` unless told. */
  readonly day?: string;
  readonly region?: string;
  readonly service?: string;
  readonly end?: string;
  /** Seconds that a presigned URL is valid. */
  readonly expires?: number | string;
}

/** A request that can be changed before it is sent. */
export interface SignedRequest {
  readonly method: string;
  readonly target: string;
  readonly lines: Lines;
  readonly body: string;
}

type Signer = Pick<Endpoint, "url" | "accessKey" | "secretKey">;

/** Signs a request in its headers; the SHA-256 of the body is signed too. */
export function signed(endpoint: Signer, plan: SignaturePlan = {}): SignedRequest {
  const { method = "PUT", target = "/bucket/key", body = "hello", headers = [], at = Date.now() } = plan;
  const lines: Lines = [
    ["host", new URL(endpoint.url).host],
    ["x-amz-date", signingTime(at)],
    ["x-amz-content-sha256", sha256Hex(body)],
    ...headers,
  ];
  const names = plan.signedHeaders ?? signedNames(lines);
  const [path, query = ""] = target.split("?");
  const request = { method, path, query, headers: HeaderList.of(lines) };
  const signature = signatureOf(endpoint, plan, canonicalRequest(request, names, sha256Hex(body)));
  const credential = `${endpoint.accessKey}/${scopeOf(plan)}`;
  const authorization = `${algorithm} Credential=${credential}, SignedHeaders=${names.join(";")}, ` +
    `Signature=${signature}`;
  return { method, target, lines: [...lines, ["authorization", authorization]], body };
}

/** Signs a request in its query. */
export function presigned(endpoint: Signer, plan: SignaturePlan = {}): SignedRequest {
  const { method = "GET", target = "/bucket/key", headers = [], at = Date.now(), expires = 60 } = plan;
  const lines: Lines = [["host", new URL(endpoint.url).host], ...headers];
  const names = plan.signedHeaders ?? signedNames(lines);
  const [path, before = ""] = target.split("?");
  const parameters = {
    "X-Amz-Algorithm": algorithm,
    "X-Amz-Credential": `${endpoint.accessKey}/${scopeOf(plan)}`,
    "X-Amz-Date": signingTime(at),
    "X-Amz-Expires": String(expires),
    "X-Amz-SignedHeaders": names.join(";"),
  };
  const query = [
    ...before === "" ? [] : [before],
    ...Object.entries(parameters).map((pair) => pair.map(encodeURIComponent).join("=")),
  ].join("&");
  const request = { method, path, query, headers: HeaderList.of(lines) };
  const signature = signatureOf(endpoint, plan, canonicalRequest(request, names, "UNSIGNED-PAYLOAD"));
  return { method, target: `${path}?${query}&X-Amz-Signature=${signature}`, lines, body: plan.body ?? "" };
}

/** The lines with one of them replaced, or left out for `undefined`. */
export function withLine({ lines }: SignedRequest, name: string, value: string | undefined): Lines {
  return lines.flatMap((line) => line[0] !== name ? [line] : value === undefined ? [] : [[name, value]]);
}

/** Sends a request as it is on a connection of its own, and returns the answer: status, code of the error, all of it. */
export async function sendPlain(
  { url }: Pick<Endpoint, "url">,
  { method, target, lines, body }: SignedRequest,
): Promise<{ status: number; code: string; text: string }> {
  const length = body === "" && method !== "PUT" && method !== "POST"
    ? []
    : [["content-length", String(body.length)]];
  const head = [...lines, ...length, ["connection", "close"]].map(([name, value]) => `${name}: ${value}\r\n`);
  const text = await exchangeRaw(url, `${method} ${target} HTTP/1.1\r\n${head.join("")}\r\n${body}`);
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? "";
  return { status: Number(text.split(" ")[1] ?? 0), code, text };
}

function signedNames(lines: Lines): string[] {
  const names = lines.map(([name]) => name).filter((name) => name === "host" || name.startsWith("x-amz-"));
  return [...new Set(names)].sort();
}

function scopeOf({ at = Date.now(), day, region = "us-east-1", service = "s3", end }: SignaturePlan): string {
  return [day ?? signingTime(at).slice(0, 8), region, service, end ?? "aws4_request"].join("/");
}

function signatureOf({ secretKey }: Signer, plan: SignaturePlan, canonical: string): string {
  const { at = Date.now(), region = "us-east-1", service = "s3" } = plan;
  const time = signingTime(at);
  const scope = { date: plan.day ?? time.slice(0, 8), region, service };
  return signingKey(secretKey, scope).hex(stringToSign(time, scope, canonical));
}
