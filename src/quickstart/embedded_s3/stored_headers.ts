import { checksumHeader } from "../../checksums/checksum.ts";
import type { BodyFacts } from "./body.ts";
import type { StoredHeaders, StoredObject, Tags } from "./object_table.ts";
import { S3Error } from "./s3_error.ts";
import type { S3Request } from "./s3_request.ts";

/** Headers that are kept with an object as they came. */
const contentHeaders = [
  "content-type",
  "content-encoding",
  "content-disposition",
  "content-language",
  "cache-control",
  "expires",
];
const metadataPrefix = "x-amz-meta-";
const checksumPrefix = "x-amz-checksum-";

/** All user metadata together, in bytes: https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html */
const maximumMetadataBytes = 2048;

/** What an upload's headers say that is to be kept with the object. */
export function storedHeadersOf(headers: Headers): StoredHeaders {
  const storageClass = headers.get("x-amz-storage-class") ?? "STANDARD";
  if (storageClass !== "STANDARD") throw new S3Error("InvalidStorageClass");
  const stored: Record<string, string> = { "content-type": "application/octet-stream" };
  let metadataBytes = 0;
  for (const [name, value] of headers) {
    if (name.startsWith(metadataPrefix)) metadataBytes += name.length - metadataPrefix.length + value.length;
    else if (!contentHeaders.includes(name)) continue;
    const kept = name === "content-encoding" ? withoutChunkedEncoding(value) : value;
    if (kept !== "") stored[name] = kept;
  }
  if (metadataBytes > maximumMetadataBytes) {
    throw new S3Error("InvalidRequest", "The metadata headers exceed 2 KiB together.");
  }
  return stored;
}

/** Adds the checksum of a body that was received whole. */
export function withChecksum(headers: StoredHeaders, { checksum }: BodyFacts): StoredHeaders {
  if (checksum === undefined) return headers;
  return {
    ...headers,
    [checksumHeader(checksum.algorithm)]: checksum.value,
    "x-amz-checksum-type": "FULL_OBJECT",
  };
}

/** Headers of an answer about an object, its length aside. Checksums are only for clients that ask for them. */
export function objectHeaders(
  object: StoredObject,
  request: S3Request,
  options: { withChecksums: boolean },
): Headers {
  const asksForChecksums = request.headers.get("x-amz-checksum-mode")?.toUpperCase() === "ENABLED";
  const withChecksums = options.withChecksums && asksForChecksums;
  const headers = new Headers({
    "etag": `"${object.etag}"`,
    "last-modified": new Date(object.modifiedAt).toUTCString(),
    "accept-ranges": "bytes",
  });
  for (const [name, value] of Object.entries(object.headers)) {
    if (withChecksums || !name.startsWith(checksumPrefix)) headers.set(name, value);
  }
  const tagCount = Object.keys(object.tags).length;
  if (tagCount > 0) headers.set("x-amz-tagging-count", String(tagCount));
  for (const name of contentHeaders) {
    const override = request.parameters.get(`response-${name}`);
    if (override !== null) headers.set(name, override);
  }
  return headers;
}

/** Characters and counts of https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-tagging.html */
export function requireTags(pairs: readonly (readonly [string, string])[]): Tags {
  const tags = Object.fromEntries(pairs);
  const isValid = pairs.length <= 10 && Object.keys(tags).length === pairs.length &&
    pairs.every(([name, value]) => name !== "" && [...name].length <= 128 && [...value].length <= 256);
  if (!isValid) throw new S3Error("InvalidTag");
  return tags;
}

/** The tags in an upload's `x-amz-tagging` header. */
export function taggingHeader(headers: Headers): Tags {
  return requireTags([...new URLSearchParams(headers.get("x-amz-tagging") ?? "")]);
}

/** `aws-chunked` says how the body travels, and is no part of the object. */
function withoutChunkedEncoding(value: string): string {
  return value.split(",").map((coding) => coding.trim()).filter((coding) => coding !== "aws-chunked").join(
    ", ",
  );
}
