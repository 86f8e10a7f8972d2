import { notImplemented, requireBucketInScope, requireKeyInScope } from "./authorize.ts";
import type { VirtualCredential } from "./credentials/source.ts";
import { S3Error } from "./s3_error.ts";
import { encodeKey, isBucketName, requireKeyLength } from "./target.ts";
import { encodeRfc3986 } from "../sigv4/canonical.ts";

/** The object that a copy reads. */
export interface CopySource {
  readonly bucket: string;
  readonly key: string;
  /** `undefined` for the current version. */
  readonly versionId: string | undefined;
}

/**
 * Parses `x-amz-copy-source`, `bucket/key` with or without a leading slash, percent-encoded, and `?versionId=` behind it:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html#API_CopyObject_RequestSyntax. It is decoded once.
 *
 * Throws {@link S3Error} `InvalidArgument` for anything else, ARNs among it.
 */
export function parseCopySource(header: string): CopySource {
  const question = header.indexOf("?");
  const path = question < 0 ? header : header.slice(0, question);
  // Without a plain slash, the one between bucket and key is encoded too, as in AWS's examples for Java.
  const isWhole = !path.includes("/", 1);
  const plain = isWhole ? decode(path) : path;
  const start = plain.startsWith("/") ? 1 : 0;
  const slash = plain.indexOf("/", start);
  if (slash < 0) throw invalidSource("It has to name a bucket and a key");
  // An encoded slash in front of the first plain one would move the border between bucket and key.
  const bucket = plain.slice(start, slash);
  if (!isBucketName(bucket)) throw invalidSource("It does not begin with the name of a bucket");
  const key = isWhole ? plain.slice(slash + 1) : decode(plain.slice(slash + 1));
  if (key === "") throw invalidSource("It has to name a key");
  requireKeyLength(key);
  return { bucket, key, versionId: question < 0 ? undefined : parseVersion(header.slice(question + 1)) };
}

/**
 * Checks that a credential may read the source of a copy whose destination is on `backend`. Throws {@link S3Error}
 * `AccessDenied`, `InvalidURI` for dot segments, and `NotImplemented` for a source on another backend.
 */
export function authorizeCopySource(
  source: CopySource,
  credential: VirtualCredential,
  backend: string,
): void {
  const sourceBackend = requireBucketInScope(source.bucket, credential);
  requireKeyInScope(source.key, credential);
  if (sourceBackend !== backend) {
    throw notImplemented("An object cannot be copied from a bucket on another backend.");
  }
}

/** The header to send on: what was checked, encoded anew. */
export function formatCopySource({ bucket, key, versionId }: CopySource): string {
  const version = versionId === undefined ? "" : `?versionId=${encodeRfc3986(versionId)}`;
  return `/${bucket}/${encodeKey(key)}${version}`;
}

function parseVersion(query: string): string {
  const name = "versionId=";
  const value = query.startsWith(name) ? query.slice(name.length) : "";
  if (value === "" || value.includes("&")) {
    throw invalidSource("It may end in ?versionId= and a version, and in no other parameter");
  }
  return decode(value);
}

function decode(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(toUtf8(text));
  } catch {
    throw invalidSource("It is not percent-encoded UTF-8");
  }
  if (/\p{Cc}/u.test(decoded)) throw invalidSource("It holds a control character");
  return decoded;
}

/** Some clients send UTF-8 without encoding it; a header's value has one character for each byte. */
function toUtf8(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  return new TextDecoder("utf-8", { fatal: true }).decode(
    Uint8Array.from(text, (byte) => byte.charCodeAt(0)),
  );
}

function invalidSource(fault: string): S3Error {
  return new S3Error("InvalidArgument", `x-amz-copy-source is not valid. ${fault}.`);
}
