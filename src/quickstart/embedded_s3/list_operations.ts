import { encodeRfc3986 } from "../../sigv4/canonical.ts";
import type { Database } from "../../store/database.ts";
import { owner } from "./bucket_operations.ts";
import { requireBucket } from "./bucket_table.ts";
import { type ListedObject, objectsFrom } from "./object_table.ts";
import { S3Error } from "./s3_error.ts";
import { integerParameter, type S3Request } from "./s3_request.ts";
import { isoTime, type Operation, xmlResponse } from "./storage.ts";
import { element, type XmlElement } from "../../xml/writer.ts";

const maximumPage = 1000;

/** A line of a listing: an object, or all keys up to the next delimiter as one. */
type Entry = { readonly object: ListedObject } | { readonly commonPrefix: string };

/** Which part of a bucket is listed. */
interface ListQuery {
  readonly bucket: string;
  readonly prefix: string;
  readonly delimiter: string;
  /** Nothing up to this key is listed, nor, when it is a common prefix, any key under it. */
  readonly after: string;
  readonly limit: number;
}

/** `GET /bucket`: version 2 with `list-type=2`, else version 1. */
export const listObjects: Operation = ({ database }, request) => {
  requireBucket(database, request.bucket);
  const listType = request.parameters.get("list-type");
  if (listType !== null && listType !== "2") throw new S3Error("InvalidArgument", "list-type can only be 2.");
  return listType === "2" ? listVersion2(database, request) : listVersion1(database, request);
};

function listVersion1(database: Database, request: S3Request): Response {
  const marker = request.parameters.get("marker") ?? "";
  const query = readQuery(request, marker);
  const { entries, next } = listEntries(database, query);
  const encode = keyEncoder(request);
  return xmlResponse(element("ListBucketResult", [
    ...commonElements(request, query),
    element("Marker", encode(marker)),
    element("IsTruncated", next !== undefined),
    next === undefined ? undefined : element("NextMarker", encode(next)),
    ...entries.map((entry) => entryElement(entry, encode, true)),
  ]));
}

function listVersion2(database: Database, request: S3Request): Response {
  const token = request.parameters.get("continuation-token");
  const startAfter = request.parameters.get("start-after");
  const query = readQuery(request, token === null ? startAfter ?? "" : decodeToken(token));
  const { entries, next } = listEntries(database, query);
  const encode = keyEncoder(request);
  const withOwner = request.parameters.get("fetch-owner") === "true";
  return xmlResponse(element("ListBucketResult", [
    ...commonElements(request, query),
    element("KeyCount", entries.length),
    element("IsTruncated", next !== undefined),
    token === null ? undefined : element("ContinuationToken", token),
    next === undefined ? undefined : element("NextContinuationToken", encodeToken(next)),
    startAfter === null ? undefined : element("StartAfter", encode(startAfter)),
    ...entries.map((entry) => entryElement(entry, encode, withOwner)),
  ]));
}

function readQuery(request: S3Request, after: string): ListQuery {
  return {
    bucket: request.bucket,
    prefix: request.parameters.get("prefix") ?? "",
    delimiter: request.parameters.get("delimiter") ?? "",
    after,
    limit: integerParameter(request, "max-keys", maximumPage, maximumPage),
  };
}

/**
 * One page, and where the next one goes on if there is more. Keys under a common prefix are not walked through: the
 * index is asked for the first key behind them.
 */
function listEntries(database: Database, query: ListQuery): { entries: Entry[]; next: string | undefined } {
  const { bucket, prefix, delimiter, limit } = query;
  const entries: Entry[] = [];
  if (limit === 0) return { entries, next: undefined };
  let last = "";
  let start: { key: string; exclusive: boolean } | undefined = startOf(query);
  let batch = 16;
  while (start !== undefined) {
    const objects = objectsFrom(database, bucket, start.key, start.exclusive, batch);
    start = undefined;
    for (const object of objects) {
      if (!object.key.startsWith(prefix)) return { entries, next: undefined };
      if (entries.length === limit) return { entries, next: last };
      const commonPrefix = commonPrefixOf(object.key, prefix, delimiter);
      last = commonPrefix ?? object.key;
      if (commonPrefix !== undefined) {
        entries.push({ commonPrefix });
        start = keyBehind(commonPrefix);
        if (start === undefined) return { entries, next: undefined };
        break;
      }
      entries.push({ object });
    }
    const rolledUp = start !== undefined;
    if (!rolledUp && objects.length === batch) start = { key: last, exclusive: true };
    batch = rolledUp ? 4 : Math.min(batch * 4, maximumPage + 1);
  }
  return { entries, next: undefined };
}

function startOf({ prefix, delimiter, after }: ListQuery): { key: string; exclusive: boolean } | undefined {
  if (compareKeys(after, prefix) < 0) return { key: prefix, exclusive: false };
  if (commonPrefixOf(after, prefix, delimiter) === after) return keyBehind(after);
  return { key: after, exclusive: after !== "" };
}

function commonPrefixOf(key: string, prefix: string, delimiter: string): string | undefined {
  if (delimiter === "" || !key.startsWith(prefix)) return undefined;
  const end = key.indexOf(delimiter, prefix.length);
  return end < 0 ? undefined : key.slice(0, end + delimiter.length);
}

/** The smallest key that is behind every key with this prefix; `undefined` when there can be none. */
function keyBehind(prefix: string): { key: string; exclusive: false } | undefined {
  const codePoints = [...prefix].map((character) => character.codePointAt(0) ?? 0);
  for (let last = codePoints.pop(); last !== undefined; last = codePoints.pop()) {
    if (last === 0x10ffff) continue;
    // UTF-8 has no bytes for the surrogates.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return { key: String.fromCodePoint(...codePoints, next), exclusive: false };
  }
  return undefined;
}

/** Compares by the bytes of UTF-8, which JavaScript's own order of strings is not. */
function compareKeys(a: string, b: string): number {
  const [bytesA, bytesB] = [a, b].map((text) => new TextEncoder().encode(text));
  const end = Math.min(bytesA.length, bytesB.length);
  for (let index = 0; index < end; index++) {
    if (bytesA[index] !== bytesB[index]) return bytesA[index] - bytesB[index];
  }
  return bytesA.length - bytesB.length;
}

function commonElements(request: S3Request, { bucket, prefix, delimiter, limit }: ListQuery): XmlElement[] {
  const encode = keyEncoder(request);
  const elements = [
    element("Name", bucket),
    element("Prefix", encode(prefix)),
    element("MaxKeys", limit),
  ];
  if (delimiter !== "") elements.push(element("Delimiter", encode(delimiter)));
  if (request.parameters.has("encoding-type")) elements.push(element("EncodingType", "url"));
  return elements;
}

function entryElement(entry: Entry, encode: (key: string) => string, withOwner: boolean): XmlElement {
  if ("commonPrefix" in entry) {
    return element("CommonPrefixes", [element("Prefix", encode(entry.commonPrefix))]);
  }
  const { key, size, etag, modifiedAt } = entry.object;
  return element("Contents", [
    element("Key", encode(key)),
    element("LastModified", isoTime(modifiedAt)),
    element("ETag", `"${etag}"`),
    element("Size", size),
    withOwner ? owner : undefined,
    element("StorageClass", "STANDARD"),
  ]);
}

/** How keys are written: as they are, or with `encoding-type=url` percent-encoded but for slashes. */
export function keyEncoder(request: S3Request): (key: string) => string {
  const encoding = request.parameters.get("encoding-type");
  if (encoding === null) return (key) => key;
  if (encoding !== "url") throw new S3Error("InvalidArgument", "encoding-type can only be url.");
  return (key) => encodeRfc3986(key).replaceAll("%2F", "/");
}

function encodeToken(after: string): string {
  return btoa(encodeURIComponent(after));
}

function decodeToken(token: string): string {
  try {
    return decodeURIComponent(atob(token));
  } catch {
    throw new S3Error("InvalidArgument", "The continuation token is not one of this server's.");
  }
}
