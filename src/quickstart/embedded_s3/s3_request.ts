import type { VerifiedRequest } from "../../sigv4/verify.ts";
import type { WireRequest } from "../../sigv4/canonical.ts";
import { S3Error } from "./s3_error.ts";

/** A request in path style, its signature verified and its body not read yet. */
export interface S3Request {
  readonly method: string;
  /** Empty for requests about the account. */
  readonly bucket: string;
  /** Empty for requests about a bucket. */
  readonly key: string;
  readonly parameters: URLSearchParams;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly verified: VerifiedRequest;
}

/** What is addressed: a bucket and a key in it, either of which may be empty. */
export interface ResourceName {
  readonly bucket: string;
  readonly key: string;
}

/** Longest key, in bytes of UTF-8: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html */
const maximumKeyBytes = 1024;

/** The request as it was on the wire. `Deno.serve` gives the target unchanged, which `new URL()` would not. */
export function wireRequest(request: Request): WireRequest<Headers> {
  const target = request.url.slice(request.url.indexOf("/", "http://".length));
  const [path, ...query] = target.split("?");
  return { method: request.method, path, query: query.join("?"), headers: request.headers };
}

/** Parses `/bucket/key`, percent-encoded. Throws `InvalidURI`, `InvalidBucketName` or `KeyTooLongError`. */
export function parseResource(path: string): ResourceName {
  if (!path.startsWith("/")) throw new S3Error("InvalidURI");
  let decoded: string;
  try {
    decoded = decodeURIComponent(path.slice(1));
  } catch {
    throw new S3Error("InvalidURI");
  }
  const slash = decoded.indexOf("/");
  const bucket = slash < 0 ? decoded : decoded.slice(0, slash);
  const key = slash < 0 ? "" : decoded.slice(slash + 1);
  if (bucket === "" && decoded !== "") throw new S3Error("InvalidBucketName");
  requireKey(key);
  return { bucket, key };
}

/** Throws `KeyTooLongError` for a key of more than 1024 bytes and `InvalidURI` for one with a NUL. */
export function requireKey(key: string): void {
  if (new TextEncoder().encode(key).length > maximumKeyBytes) throw new S3Error("KeyTooLongError");
  if (key.includes("\0")) throw new S3Error("InvalidURI", "A key cannot have a NUL in it.");
}

/** A parameter that is a whole number, `fallback` when absent. Throws `InvalidArgument`. */
export function integerParameter(
  request: S3Request,
  name: string,
  fallback: number,
  maximum: number,
): number {
  const text = request.parameters.get(name);
  if (text === null || text === "") return fallback;
  const number = Number(text);
  if (!/^\d{1,10}$/.test(text)) throw new S3Error("InvalidArgument", `${name} has to be a whole number.`);
  return Math.min(number, maximum);
}
