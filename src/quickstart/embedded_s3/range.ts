import { S3Error } from "./s3_error.ts";
import type { StoredObject } from "./object_table.ts";

/** A run of bytes of an object. */
export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

/**
 * The part of an object that a `Range` header asks for (RFC 9110, section 14.2), or `undefined` for the whole: without
 * the header, in a form that is ignored, with several ranges, or when `If-Range` names another object. Throws
 * `InvalidRange` when no byte is in it.
 */
export function parseRange(headers: Headers, object: StoredObject): ByteRange | undefined {
  const ifRange = headers.get("if-range");
  if (ifRange !== null && ifRange !== `"${object.etag}"`) return undefined;
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.get("range") ?? "") ?? [];
  if (first === undefined || (first === "" && last === "")) return undefined;
  if (first === "") return rangeFrom(Math.max(0, object.size - Number(last)), object.size - 1, object.size);
  if (last !== "" && Number(last) < Number(first)) return undefined;
  return rangeFrom(Number(first), last === "" ? object.size - 1 : Number(last), object.size);
}

/** The range in `x-amz-copy-source-range`, which has to be inside the object. Throws `InvalidArgument`. */
export function parseCopyRange(text: string, size: number): ByteRange {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(text) ?? [];
  if (first === undefined || Number(first) > Number(last) || Number(last) >= size) {
    throw new S3Error(
      "InvalidArgument",
      "x-amz-copy-source-range has to be bytes=first-last inside the object.",
    );
  }
  return { start: Number(first), length: Number(last) - Number(first) + 1 };
}

function rangeFrom(first: number, last: number, size: number): ByteRange {
  if (first >= size) throw new S3Error("InvalidRange");
  return { start: first, length: Math.min(last, size - 1) - first + 1 };
}
