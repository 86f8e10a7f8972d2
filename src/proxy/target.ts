import type { RequestHead, Target } from "./request.ts";
import { S3Error } from "./s3_error.ts";

/** Longest key, in bytes of UTF-8: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html */
export const maxKeyBytes = 1024;

/**
 * Brings the configured host suffixes into the form that {@link parseTarget} takes: lower-case, with their leading dot, the
 * longest first.
 */
export function prepareHostSuffixes(suffixes: readonly string[]): string[] {
  return suffixes
    .map((suffix) => suffix.toLowerCase())
    .map((suffix) => suffix.startsWith(".") ? suffix : `.${suffix}`)
    .sort((a, b) => b.length - a.length);
}

/**
 * Finds out what a request is about, decoding its path once. The bucket comes from the host name where that ends in one of
 * `hostSuffixes` (see {@link prepareHostSuffixes}), otherwise from the first segment of the path.
 *
 * Throws {@link S3Error} `InvalidURI` for a path that does not decode to UTF-8, that holds NUL, or that another server could
 * read otherwise than it is read here; `KeyTooLongError` and `InvalidBucketName`.
 */
export function parseTarget(head: RequestHead, hostSuffixes: readonly string[]): Target {
  requirePlainPath(head.path);
  const hostBucket = hostSuffixes.length === 0 ? "" : bucketOfHost(head.headers.get("host"), hostSuffixes);
  if (hostBucket !== "") {
    requireBucketName(hostBucket);
    return objectTarget(hostBucket, head.path.slice(1), true);
  }
  if (head.path === "/") return { bucket: "", key: "", rawKey: "", virtualHosted: false };
  const slash = head.path.indexOf("/", 1);
  const bucket = decode(slash < 0 ? head.path.slice(1) : head.path.slice(1, slash));
  if (bucket === "" || bucket.includes("/")) throw invalidUri("It has no bucket.");
  requireBucketName(bucket);
  return objectTarget(bucket, slash < 0 ? "" : head.path.slice(slash + 1), false);
}

/** Percent-encodes a key: everything but `/` and RFC 3986's unreserved characters, with upper-case digits. */
export function encodeKey(key: string): string {
  return unreserved.test(key)
    ? key
    : encodeURIComponent(key).replaceAll("%2F", "/").replace(/[!'()*]/g, (character) => escapes[character]);
}

/**
 * Whether a segment of a key is `.` or `..`. Servers that take keys for file names resolve these, and so would write or
 * delete another object than the one that is named. A backslash separates segments too, since some servers take it for a
 * slash.
 */
export function hasDotSegments(key: string): boolean {
  const possible = key.startsWith(".") || key.includes("/.") || key.includes("\\.");
  return possible && segments(key).some((segment) => segment === "." || segment === "..");
}

/** Whether `..` would lead out of the bucket on a server that takes keys for file names. */
export function leavesBucket(key: string): boolean {
  if (!key.includes("..")) return false;
  let depth = 0;
  for (const segment of segments(key)) {
    if (segment === "..") depth--;
    else if (segment !== "" && segment !== ".") depth++;
    if (depth < 0) return true;
  }
  return false;
}

/** Throws {@link S3Error} `KeyTooLongError` unless the key has at most {@link maxKeyBytes}. */
export function requireKeyLength(key: string): void {
  const tooLong = key.length > maxKeyBytes ||
    (key.length > maxKeyBytes / 3 && new TextEncoder().encode(key).byteLength > maxKeyBytes);
  if (tooLong) throw new S3Error("KeyTooLongError", `A key has at most ${maxKeyBytes} bytes.`);
}

/** Whether S3 would let a bucket have this name: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
export function isBucketName(name: string): boolean {
  return /^[a-z0-9](?:[a-z0-9.-]{1,61})[a-z0-9]$/.test(name) && !name.includes("..");
}

const unreserved = /^[A-Za-z0-9._~/-]*$/;
const escapes: Readonly<Record<string, string>> = {
  "!": "%21",
  "'": "%27",
  "(": "%28",
  ")": "%29",
  "*": "%2A",
};

function objectTarget(bucket: string, rawKey: string, virtualHosted: boolean): Target {
  const key = decode(rawKey);
  requireKeyLength(key);
  if (leavesBucket(key)) throw invalidUri("Its key leads out of the bucket.");
  return { bucket, key, rawKey, virtualHosted };
}

function bucketOfHost(host: string | null, suffixes: readonly string[]): string {
  if (host === null) return "";
  const colon = host.indexOf(":");
  const name = (colon < 0 ? host : host.slice(0, colon)).toLowerCase();
  for (const suffix of suffixes) {
    if (name.length > suffix.length && name.endsWith(suffix)) return name.slice(0, -suffix.length);
  }
  return "";
}

/** Refuses what has no place in a path by RFC 3986 and what servers disagree about: `\`, `#`, control and raw bytes. */
function requirePlainPath(path: string): void {
  if (path.charCodeAt(0) !== 0x2f) throw invalidUri("It has to begin with a slash.");
  for (let index = 0; index < path.length; index++) {
    const code = path.charCodeAt(index);
    if (code <= 0x20 || code >= 0x7f || code === 0x5c || code === 0x23) {
      throw invalidUri("It holds a character that has to be percent-encoded.");
    }
  }
}

function decode(text: string): string {
  if (!text.includes("%")) return text;
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw invalidUri("It is not percent-encoded UTF-8.");
  }
  if (decoded.includes("\0")) throw invalidUri("It holds a NUL character.");
  return decoded;
}

function segments(key: string): string[] {
  return key.split(/[/\\]/);
}

function requireBucketName(name: string): void {
  if (!isBucketName(name)) throw new S3Error("InvalidBucketName", "This is not the name of a bucket.");
}

function invalidUri(fault: string): S3Error {
  return new S3Error("InvalidURI", `The path of the request is not valid. ${fault}`);
}
