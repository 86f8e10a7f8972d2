import { randomUUID } from "node:crypto";
import { requireBucket } from "./bucket_table.ts";
import { requireCopySource, requireReplaceable } from "./conditions.ts";
import { findObject, replaceObject, segmentsOf, type StoredObject } from "./object_table.ts";
import { requireObject } from "./object_operations.ts";
import { S3Error } from "./s3_error.ts";
import { parseResource, type S3Request } from "./s3_request.ts";
import { isoTime, type Operation, type Storage, xmlResponse } from "./storage.ts";
import { storedHeadersOf, taggingHeader } from "./stored_headers.ts";
import { element, type XmlElement } from "../../xml/writer.ts";

/** Largest object that one copy request takes, in bytes. */
const maximumCopyBytes = 5 * 1024 ** 3;

/** The object in `x-amz-copy-source`, when the request's conditions on it hold. */
export function requireSource(storage: Storage, headers: Headers): StoredObject {
  const [path, query] = (headers.get("x-amz-copy-source") ?? "").split("?");
  const resource = parseResource(path.startsWith("/") ? path : `/${path}`);
  if (resource.key === "") throw new S3Error("InvalidArgument", "x-amz-copy-source has to be bucket/key.");
  const source = requireObject(storage, resource, new URLSearchParams(query).get("versionId"));
  requireCopySource(headers, source);
  return source;
}

/** Body of a copy's answer. */
export function copyResult(name: string, etag: string, modifiedAt: number): XmlElement {
  return element(name, [element("ETag", `"${etag}"`), element("LastModified", isoTime(modifiedAt))]);
}

/** The copy is one file. It keeps the ETag of its source, which stands for the same bytes. */
export const copyObject: Operation = async (storage, request) => {
  const { database, blobs, clock } = storage;
  const { bucket, key } = request;
  requireBucket(database, bucket);
  const source = requireSource(storage, request.headers);
  if (source.size > maximumCopyBytes) throw new S3Error("EntityTooLarge");
  const described = describeCopy(request, source);
  const { etag, size } = source;
  return await blobs.create(async (write) => {
    const bytes = blobs.read(segmentsOf(database, source), 0, size);
    for await (const chunk of bytes) await write(chunk);
  }, (blob) => {
    const copy = { bucket, key, id: randomUUID(), size, etag, modifiedAt: clock(), ...described };
    database.transaction(() => {
      requireBucket(database, bucket);
      requireReplaceable(request.headers, findObject(database, bucket, key));
      replaceObject(database, blobs, copy, [{ blob, size }]);
      blobs.claim(blob);
    });
    return xmlResponse(copyResult("CopyObjectResult", etag, copy.modifiedAt));
  });
};

/** What the directives say is to be kept with the copy: the source's or the request's. */
function describeCopy(request: S3Request, source: StoredObject): Pick<StoredObject, "headers" | "tags"> {
  const replacesHeaders = directive(request.headers, "x-amz-metadata-directive");
  const replacesTags = directive(request.headers, "x-amz-tagging-directive");
  if (source.bucket === request.bucket && source.key === request.key && !replacesHeaders) {
    throw new S3Error("InvalidRequest", "A copy of an object to itself has to change its metadata.");
  }
  const checksums = Object.entries(source.headers).filter(([name]) => name.startsWith("x-amz-checksum-"));
  return {
    headers: replacesHeaders
      ? { ...storedHeadersOf(request.headers), ...Object.fromEntries(checksums) }
      : source.headers,
    tags: replacesTags ? taggingHeader(request.headers) : source.tags,
  };
}

function directive(headers: Headers, name: string): boolean {
  const value = headers.get(name) ?? "COPY";
  if (value !== "COPY" && value !== "REPLACE") {
    throw new S3Error("InvalidArgument", `${name} is COPY or REPLACE.`);
  }
  return value === "REPLACE";
}
