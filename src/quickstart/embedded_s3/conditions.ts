import { S3Error } from "./s3_error.ts";
import type { StoredObject } from "./object_table.ts";

/** Names of the headers that make a request conditional. */
interface ConditionHeaders {
  readonly match: string;
  readonly noneMatch: string;
  readonly modifiedSince: string;
  readonly unmodifiedSince: string;
}

const copySourceHeaders: ConditionHeaders = {
  match: "x-amz-copy-source-if-match",
  noneMatch: "x-amz-copy-source-if-none-match",
  modifiedSince: "x-amz-copy-source-if-modified-since",
  unmodifiedSince: "x-amz-copy-source-if-unmodified-since",
};

const readHeaders: ConditionHeaders = {
  match: "if-match",
  noneMatch: "if-none-match",
  modifiedSince: "if-modified-since",
  unmodifiedSince: "if-unmodified-since",
};

/** How the conditions of a request came out, in the order of RFC 9110, section 13.2.2. */
type Verdict = "go on" | "failed" | "not modified";

/** Whether a read gets 304. Throws `PreconditionFailed`. */
export function isNotModified(headers: Headers, object: StoredObject): boolean {
  const verdict = judge(headers, readHeaders, object);
  if (verdict === "failed") throw new S3Error("PreconditionFailed");
  return verdict === "not modified";
}

/** Throws `PreconditionFailed` when a copy's source is not as its request demands. */
export function requireCopySource(headers: Headers, source: StoredObject): void {
  if (judge(headers, copySourceHeaders, source) !== "go on") throw new S3Error("PreconditionFailed");
}

/**
 * Throws `PreconditionFailed`, or `NoSuchKey` for `If-Match` without an object, when `current` may not be replaced:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
export function requireReplaceable(headers: Headers, current: StoredObject | undefined): void {
  const match = headers.get("if-match");
  const noneMatch = headers.get("if-none-match");
  if (noneMatch !== null && noneMatch !== "*") {
    throw new S3Error("NotImplemented", "If-None-Match of a write can only be *.");
  }
  if (noneMatch !== null && current !== undefined) throw new S3Error("PreconditionFailed");
  if (match === null) return;
  if (current === undefined) throw new S3Error("NoSuchKey");
  if (!listsEtag(match, current.etag)) throw new S3Error("PreconditionFailed");
}

function judge(headers: Headers, names: ConditionHeaders, object: StoredObject): Verdict {
  const modifiedAt = Math.floor(object.modifiedAt / 1000) * 1000;
  const match = headers.get(names.match);
  const noneMatch = headers.get(names.noneMatch);
  const modifiedSince = Date.parse(headers.get(names.modifiedSince) ?? "");
  const unmodifiedSince = Date.parse(headers.get(names.unmodifiedSince) ?? "");
  if (match !== null) {
    if (!listsEtag(match, object.etag)) return "failed";
  } else if (modifiedAt > unmodifiedSince) return "failed";
  if (noneMatch !== null) return listsEtag(noneMatch, object.etag) ? "not modified" : "go on";
  return modifiedAt <= modifiedSince ? "not modified" : "go on";
}

function listsEtag(list: string, etag: string): boolean {
  return list.split(",").map((entry) => entry.trim().replace(/^W\//, "").replaceAll('"', ""))
    .some((entry) => entry === "*" || entry === etag);
}
