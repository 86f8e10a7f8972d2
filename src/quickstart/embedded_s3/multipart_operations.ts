import { Buffer } from "node:buffer";
import { createHash, randomUUID } from "node:crypto";
import { type BodyFacts, receiveBody, receiveText, type Sink } from "./body.ts";
import { requireBucket } from "./bucket_table.ts";
import { checksumAlgorithms, checksumHeader } from "../../checksums/checksum.ts";
import { requireReplaceable } from "./conditions.ts";
import { copyResult, requireSource } from "./copy_operations.ts";
import { readDocument } from "./documents.ts";
import { findObject, replaceObject, segmentsOf } from "./object_table.ts";
import { parseCopyRange } from "./range.ts";
import { S3Error } from "./s3_error.ts";
import type { S3Request } from "./s3_request.ts";
import { type Operation, type Storage, xmlResponse } from "./storage.ts";
import { storedHeadersOf, taggingHeader } from "./stored_headers.ts";
import {
  findUpload,
  insertUpload,
  type Part,
  partsAfter,
  removeUpload,
  replacePart,
  type Upload,
} from "./upload_table.ts";
import { textOf, type XmlNode } from "../../xml/reader.ts";
import { element } from "../../xml/writer.ts";

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const maximumParts = 10_000;
const minimumPartBytes = 5 * 1024 ** 2;

/** The upload that is addressed. Throws `NoSuchBucket` or `NoSuchUpload`. */
export function requireUpload({ database }: Storage, { bucket, key, parameters }: S3Request): Upload {
  requireBucket(database, bucket);
  const upload = findUpload(database, bucket, key, parameters.get("uploadId") ?? "");
  if (upload === undefined) throw new S3Error("NoSuchUpload");
  return upload;
}

export const createMultipartUpload: Operation = ({ database, clock }, request) => {
  const { bucket, key, headers } = request;
  requireBucket(database, bucket);
  const id = randomUUID();
  const described = { headers: storedHeadersOf(headers), tags: taggingHeader(headers) };
  insertUpload(database, { id, bucket, key, startedAt: clock(), ...described });
  return xmlResponse(element("InitiateMultipartUploadResult", [
    element("Bucket", bucket),
    element("Key", key),
    element("UploadId", id),
  ]));
};

export const uploadPart: Operation = async (storage, request) => {
  requireUpload(storage, request);
  const number = partNumber(request);
  const part = await storePart(storage, request, number, (write) => receiveBody(request, write));
  const answer = new Headers({ etag: `"${part.etag}"` });
  if (part.checksum) answer.set(checksumHeader(part.checksum.algorithm), part.checksum.value);
  return new Response(null, { headers: answer });
};

export const uploadPartCopy: Operation = async (storage, request) => {
  requireUpload(storage, request);
  const number = partNumber(request);
  const source = requireSource(storage, request.headers);
  const rangeText = request.headers.get("x-amz-copy-source-range");
  const range = rangeText === null
    ? { start: 0, length: source.size }
    : parseCopyRange(rangeText, source.size);
  const part = await storePart(storage, request, number, async (write) => {
    const md5 = createHash("md5");
    const bytes = storage.blobs.read(segmentsOf(storage.database, source), range.start, range.length);
    for await (const chunk of bytes) {
      md5.update(chunk);
      await write(chunk);
    }
    return { size: range.length, md5: md5.digest("hex") };
  });
  return xmlResponse(copyResult("CopyPartResult", part.etag, part.modifiedAt));
};

/** The parts' files become the object's: nothing is copied, and the answer comes at once whatever their size. */
export const completeMultipartUpload: Operation = async (storage, request) => {
  const { database, blobs, clock } = storage;
  const upload = requireUpload(storage, request);
  if (checksumAlgorithms.some((algorithm) => request.headers.has(checksumHeader(algorithm)))) {
    throw new S3Error("NotImplemented", "The checksum of a whole multipart object is not supported.");
  }
  const document = readDocument(await receiveText(request), "CompleteMultipartUpload");
  const listed = document.children.filter(({ name }) => name === "Part");
  const { bucket, key, headers, tags } = upload;
  const etag = database.transaction(() => {
    requireUpload(storage, request);
    requireReplaceable(request.headers, findObject(database, bucket, key));
    const parts = chooseParts(listed, partsAfter(database, upload.id, 0, -1));
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    const object = {
      bucket,
      key,
      id: upload.id,
      size,
      etag: etagOf(parts),
      modifiedAt: clock(),
      headers,
      tags,
    };
    replaceObject(database, blobs, object, parts);
    removeUpload(database, blobs, upload.id, new Set(parts.map(({ blob }) => blob)));
    return object.etag;
  });
  await blobs.sweep();
  return xmlResponse(element("CompleteMultipartUploadResult", [
    element("Location", `/${bucket}/${key}`),
    element("Bucket", bucket),
    element("Key", key),
    element("ETag", `"${etag}"`),
  ]));
};

export const abortMultipartUpload: Operation = async (storage, request) => {
  const { database, blobs } = storage;
  const { id } = requireUpload(storage, request);
  database.transaction(() => removeUpload(database, blobs, id));
  await blobs.sweep();
  return new Response(null, { status: 204 });
};

function partNumber({ parameters }: S3Request): number {
  const text = parameters.get("partNumber") ?? "";
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number < 1 || number > maximumParts) {
    throw new S3Error("InvalidArgument", `partNumber has to be a whole number from 1 to ${maximumParts}.`);
  }
  return number;
}

async function storePart(
  storage: Storage,
  request: S3Request,
  number: number,
  fill: (write: Sink) => Promise<BodyFacts>,
): Promise<Part> {
  const { database, blobs, clock } = storage;
  return await blobs.create(fill, (blob, { size, md5: etag, checksum }) => {
    const part: Part = { number, blob, size, etag, checksum, modifiedAt: clock() };
    database.transaction(() => {
      replacePart(database, blobs, requireUpload(storage, request).id, part);
      blobs.claim(blob);
    });
    return part;
  });
}

/** The uploaded parts that the client lists, in its order, each as it says they are. */
function chooseParts(listed: readonly XmlNode[], uploaded: readonly Part[]): Part[] {
  if (listed.length === 0) throw new S3Error("MalformedXML", "At least one part has to be listed.");
  const byNumber = new Map(uploaded.map((part) => [part.number, part]));
  const parts = listed.map((node) => {
    const part = byNumber.get(Number(textOf(node, "PartNumber")?.trim() ?? ""));
    if (part === undefined || textOf(node, "ETag")?.trim().replaceAll('"', "") !== part.etag) {
      throw new S3Error("InvalidPart");
    }
    const { algorithm = "", value } = part.checksum ?? {};
    const declared = textOf(node, `Checksum${algorithm.toUpperCase()}`);
    if (declared !== undefined && declared !== value) throw new S3Error("InvalidPart");
    return part;
  });
  if (parts.some((part, index) => index > 0 && part.number <= parts[index - 1].number)) {
    throw new S3Error("InvalidPartOrder");
  }
  if (parts.slice(0, -1).some(({ size }) => size < minimumPartBytes)) throw new S3Error("EntityTooSmall");
  return parts;
}

/** MD5 of the parts' MD5 digests, and their count. */
function etagOf(parts: readonly Part[]): string {
  const digests = Buffer.concat(parts.map((part) => Buffer.from(part.etag, "hex")));
  return `${createHash("md5").update(digests).digest("hex")}-${parts.length}`;
}
