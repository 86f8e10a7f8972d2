import { randomUUID } from "node:crypto";
import { receiveBody, receiveText } from "./body.ts";
import { requireBucket } from "./bucket_table.ts";
import { checksumHeader } from "../../checksums/checksum.ts";
import { isNotModified, requireReplaceable } from "./conditions.ts";
import {
  findObject,
  removeObject,
  replaceObject,
  segmentsOf,
  type StoredObject,
  updateTags,
} from "./object_table.ts";
import { parseRange } from "./range.ts";
import { S3Error } from "./s3_error.ts";
import { requireKey, type ResourceName, type S3Request } from "./s3_request.ts";
import { type Operation, type Storage, xmlResponse } from "./storage.ts";
import {
  objectHeaders,
  requireTags,
  storedHeadersOf,
  taggingHeader,
  withChecksum,
} from "./stored_headers.ts";
import { readDocument } from "./documents.ts";
import { childOf, textOf } from "../../xml/reader.ts";
import { element } from "../../xml/writer.ts";

/** The object that is addressed. Throws `NoSuchBucket`, `NoSuchKey` or, for any version but `null`, `NoSuchVersion`. */
export function requireObject(
  { database }: Storage,
  { bucket, key }: ResourceName,
  versionId: string | null,
): StoredObject {
  requireBucket(database, bucket);
  if (versionId !== null && versionId !== "null") throw new S3Error("NoSuchVersion");
  const object = findObject(database, bucket, key);
  if (object === undefined) throw new S3Error("NoSuchKey");
  return object;
}

export const putObject: Operation = async (storage, request) => {
  const { database, blobs, clock } = storage;
  const { bucket, key } = request;
  requireBucket(database, bucket);
  const headers = storedHeadersOf(request.headers);
  const tags = taggingHeader(request.headers);
  requireReplaceable(request.headers, findObject(database, bucket, key));
  return await blobs.create((write) => receiveBody(request, write), (blob, facts) => {
    const { size, md5: etag, checksum } = facts;
    const object = { bucket, key, id: randomUUID(), size, etag, modifiedAt: clock(), tags };
    database.transaction(() => {
      requireBucket(database, bucket);
      requireReplaceable(request.headers, findObject(database, bucket, key));
      replaceObject(database, blobs, { ...object, headers: withChecksum(headers, facts) }, [{ blob, size }]);
      blobs.claim(blob);
    });
    const answer = new Headers({ etag: `"${etag}"` });
    if (checksum) answer.set(checksumHeader(checksum.algorithm), checksum.value);
    return new Response(null, { headers: answer });
  });
};

/** Answers HEAD as well. */
export const getObject: Operation = (storage, request) => {
  const object = requireObject(storage, request, request.parameters.get("versionId"));
  if (isNotModified(request.headers, object)) {
    return new Response(null, {
      status: 304,
      headers: objectHeaders(object, request, { withChecksums: false }),
    });
  }
  const range = parseRange(request.headers, object);
  // The checksum is that of the whole object, and a client would hold it against the part.
  const headers = objectHeaders(object, request, { withChecksums: range === undefined });
  const { start, length } = range ?? { start: 0, length: object.size };
  headers.set("content-length", String(length));
  if (range) headers.set("content-range", `bytes ${start}-${start + length - 1}/${object.size}`);
  const status = range ? 206 : 200;
  if (request.method === "HEAD" || length === 0) return new Response(null, { status, headers });
  const body = storage.blobs.read(segmentsOf(storage.database, object), start, length);
  return new Response(body, { status, headers });
};

export const deleteObject: Operation = async ({ database, blobs }, request) => {
  const { bucket, key, parameters } = request;
  database.transaction(() => {
    requireBucket(database, bucket);
    if (isCurrent(parameters.get("versionId"))) removeObject(database, blobs, bucket, key);
  });
  await blobs.sweep();
  return new Response(null, { status: 204 });
};

/** `POST /bucket?delete`. A key that is not there counts as deleted. */
export const deleteObjects: Operation = async ({ database, blobs }, request) => {
  const { bucket } = request;
  requireBucket(database, bucket);
  const document = readDocument(await receiveText(request), "Delete");
  const objects = document.children.filter(({ name }) => name === "Object")
    .map((node) => ({ key: textOf(node, "Key") ?? "", versionId: textOf(node, "VersionId") }));
  if (objects.length === 0 || objects.length > 1000) {
    throw new S3Error("MalformedXML", "1 to 1000 objects can be deleted.");
  }
  if (objects.some(({ key }) => key === "")) throw new S3Error("MalformedXML", "Every object needs a key.");
  for (const { key } of objects) requireKey(key);
  database.transaction(() => {
    for (const { key, versionId } of objects) {
      if (isCurrent(versionId)) removeObject(database, blobs, bucket, key);
    }
  });
  await blobs.sweep();
  const quiet = textOf(document, "Quiet") === "true";
  const deleted = quiet ? [] : objects.map(({ key, versionId }) =>
    element("Deleted", [
      element("Key", key),
      ...(versionId === undefined ? [] : [element("VersionId", versionId)]),
    ])
  );
  return xmlResponse(element("DeleteResult", deleted));
};

/** Whether a version that is to be deleted is the one there is; any other is not there, and counts as deleted. */
function isCurrent(versionId: string | null | undefined): boolean {
  return versionId === null || versionId === undefined || versionId === "null";
}

export const getObjectTagging: Operation = (storage, request) => {
  const { tags } = requireObject(storage, request, request.parameters.get("versionId"));
  const elements = Object.entries(tags).map(([name, value]) =>
    element("Tag", [element("Key", name), element("Value", value)])
  );
  return xmlResponse(element("Tagging", [element("TagSet", elements)]));
};

export const putObjectTagging: Operation = async (storage, request) => {
  const document = readDocument(await receiveText(request), "Tagging");
  const set = childOf(document, "TagSet")?.children ?? [];
  const tags = requireTags(set.map((tag) => [textOf(tag, "Key") ?? "", textOf(tag, "Value") ?? ""]));
  replaceTags(storage, request, tags);
  return new Response(null);
};

export const deleteObjectTagging: Operation = (storage, request) => {
  replaceTags(storage, request, {});
  return new Response(null, { status: 204 });
};

function replaceTags(storage: Storage, request: S3Request, tags: Record<string, string>): void {
  const object = requireObject(storage, request, request.parameters.get("versionId"));
  updateTags(storage.database, object, tags);
}
