import { UploadPartCopyCommand } from "@aws-sdk/client-s3";
import { mapPool } from "../backends/map_pool.ts";
import type { CopySource } from "../objects/copy.ts";
import { unquoted } from "../objects/listing.ts";
import { makeObject, uploadTimeoutMs } from "../objects/stored_object.ts";
import { type MultipartUpload, type UploadedPart, uploadInParts } from "../objects/stream_upload.ts";
import { Problem } from "../problem.ts";
import { encodeRfc3986 } from "../sigv4/canonical.ts";
import { parseXml, textOf } from "../xml/reader.ts";
import type { MadeCopy, ObjectCopy } from "./object_copy.ts";
import { type PartLayout, readLayout } from "./part_layout.ts";
import { maxRequestBytes, type PartRange, planParts, rangeOf } from "./part_plan.ts";
import { retried } from "./retry.ts";
import { type SourceObject, storageHeaders } from "./source_object.ts";

/** Parts of one object that are copied at once. */
const concurrentParts = 4;

/** Size of the parts of an object that was not stored in parts, in bytes. */
const ownLayout: PartLayout = { partBytes: 128 << 20, isOfSource: false };

/** Whether a backend copies an object of this size by one request. */
export function fitsOneRequest({ size }: SourceObject): boolean {
  return size <= maxRequestBytes;
}

/** Copies an object by one request, without its bytes passing through. */
export async function copyWhole(copy: ObjectCopy): Promise<MadeCopy> {
  const { source, original, target, options } = copy;
  const { connection, bucket, key, contentType } = target;
  const headers: Record<string, string> = {
    ...storageHeaders(original, options.attributes),
    "x-amz-copy-source-if-match": original.etag,
  };
  if (options.ifAbsent) headers["if-none-match"] = "*";
  // Left to itself, MinIO drops this one.
  const isExpiring = target.headers?.expires !== undefined;
  const { keepsMetadata, keepsTags } = options.attributes ?? { keepsMetadata: true, keepsTags: true };
  if (!keepsTags) headers["x-amz-tagging-directive"] = "REPLACE";
  if (options.replace !== undefined || isExpiring || !keepsMetadata) {
    Object.assign(headers, target.headers, {
      "content-type": contentType,
      "x-amz-metadata-directive": "REPLACE",
    });
  }
  // The backend may go on with what is broken off, so a client that goes away does not end this.
  const answer = await makeObject({ ...target, ifAbsent: false }, () =>
    connection.exchangeDocument({
      method: "PUT",
      bucket,
      key,
      headers: { ...headers, "x-amz-copy-source": copySource(source) },
      answer: "CopyObjectResult",
      timeoutMs: uploadTimeoutMs(original.size),
    }));
  const etag = requireEtag(etagOf(answer.text));
  const versionId = answer.headers.get("x-amz-version-id") ?? undefined;
  options.onProgress?.(original.size);
  const { size } = original;
  return { stored: { key, size, etag: unquoted(etag), content_type: contentType, version_id: versionId } };
}

/**
 * {@link copyWhole} for an object of more than 5 GiB, whose tags and class the headers of the target hold. The backend makes its own
 * checksum, if any: MinIO has none of parts that it copies, and versitygw a wrong one.
 */
export async function copyInParts(copy: ObjectCopy): Promise<MadeCopy> {
  const { source, original, target, options: { signal, onProgress }, logger, journal } = copy;
  const layout = await readLayout(source, original, signal) ?? ownLayout;
  const uploadOptions = { signal, logger, journal };
  const stored = await uploadInParts(target, uploadOptions, async (upload) => {
    const parts = await mapPool(
      planParts(original.size, layout.partBytes),
      concurrentParts,
      signal,
      async (part, partSignal) => {
        const copied = await retried(partSignal, () => copyPart(copy, upload, part));
        onProgress?.(part.size);
        return copied;
      },
    );
    return { parts, size: original.size };
  });
  return { stored, layout };
}

/** Not broken off: a backend may go on with it, and an upload that is aborted meanwhile would keep the part. */
async function copyPart(
  { source, original }: ObjectCopy,
  { target: { connection, bucket, key }, uploadId }: MultipartUpload,
  part: PartRange,
): Promise<UploadedPart> {
  const command = new UploadPartCopyCommand({
    Bucket: bucket,
    Key: key,
    UploadId: uploadId,
    PartNumber: part.number,
    CopySource: copySource(source),
    CopySourceIfMatch: original.etag,
    CopySourceRange: rangeOf(part),
  });
  const { CopyPartResult } = await connection.call((sdk, sendOptions) => sdk.send(command, sendOptions), {
    timeoutMs: uploadTimeoutMs(part.size * concurrentParts),
  });
  return { PartNumber: part.number, ETag: requireEtag(CopyPartResult?.ETag) };
}

function etagOf(document: string): string | undefined {
  try {
    return textOf(parseXml(document), "ETag");
  } catch {
    return undefined;
  }
}

function requireEtag(etag: string | undefined): string {
  if (etag) return etag;
  throw new Problem(502, "backend_error", "The backend did not confirm that it has copied the object.");
}

/** The value of `x-amz-copy-source`: percent-encoded, with the version behind it. */
function copySource({ bucket, key, versionId }: CopySource): string {
  const version = versionId === undefined ? "" : `?versionId=${encodeRfc3986(versionId)}`;
  return `/${bucket}/${key.split("/").map(encodeRfc3986).join("/")}${version}`;
}
