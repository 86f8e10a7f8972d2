import { createHash } from "node:crypto";
import { linkSignal, withLinkedSignal } from "../backends/linked_signal.ts";
import { mapPool } from "../backends/map_pool.ts";
import { withTrailingChecksum } from "../checksums/trailing_checksum.ts";
import { unquoted } from "../objects/listing.ts";
import { noteContent } from "../objects/noted_content.ts";
import { type StoredObject, uploadTimeoutMs } from "../objects/stored_object.ts";
import {
  type MultipartUpload,
  type SentParts,
  type UploadedPart,
  uploadInParts,
} from "../objects/stream_upload.ts";
import { Problem } from "../problem.ts";
import { partMember, uploadChecksum } from "./kept_checksum.ts";
import type { ObjectCopy } from "./object_copy.ts";
import { PartProgress } from "./part_progress.ts";
import type { PartLayout } from "./part_layout.ts";
import { type PartRange, planParts } from "./part_plan.ts";
import { retried } from "./retry.ts";
import { readContent } from "./source_content.ts";
import type { StoredChecksum } from "./source_object.ts";

/** Parts of one object that are under way at once. */
const concurrentParts = 4;

/** Sends an object part by part, several at once; each is read and sent at the same time. */
export function sendInParts(
  copy: ObjectCopy,
  { partBytes }: PartLayout,
  checksum: StoredChecksum | undefined,
): Promise<StoredObject> {
  const { original, target, options: { signal, onProgress }, logger, journal } = copy;
  const { creation, completion } = uploadChecksum(checksum);
  const headers = { ...target.headers, ...creation };
  const uploadOptions = { signal, logger, journal };
  const progress = new PartProgress(onProgress);
  return uploadInParts({ ...target, headers }, uploadOptions, async (upload): Promise<SentParts> => {
    const parts = await mapPool(
      planParts(original.size, partBytes),
      concurrentParts,
      signal,
      (part, partSignal) =>
        // What of the source an attempt that fails has not read must not stay open.
        retried(partSignal, () =>
          withLinkedSignal(
            partSignal,
            (signal) => sendPart(copy, { ...upload, signal }, part, checksum, progress),
          )),
    );
    return { parts, size: original.size, headers: completion };
  });
}

/**
 * Reads a part and sends it. Once all of it is on its way it is no longer broken off: a backend that has got it may store it
 * after the abort of its upload. Throws 502 `backend_error` when the backend has got another one.
 */
async function sendPart(
  { source, original }: ObjectCopy,
  { target: { connection, bucket, key }, uploadId, signal }: MultipartUpload,
  part: PartRange,
  checksum: StoredChecksum | undefined,
  progress: PartProgress,
): Promise<UploadedPart> {
  const digest = createHash("md5");
  const link = linkSignal(signal);
  const content = noteContent(await readContent(source, original, signal, part), (piece, received) => {
    digest.update(piece);
    progress.reach(part.number, received);
    if (received === part.size) link.unlink();
  });
  const plain = { body: content, headers: { "content-length": String(part.size) } };
  const trailing = checksum && withTrailingChecksum(content, part.size, checksum.algorithm);
  const answer = await connection.send({
    method: "PUT",
    bucket,
    key,
    query: { partNumber: String(part.number), uploadId },
    ...(trailing ?? plain),
    signal: link.signal,
    timeoutMs: uploadTimeoutMs(part.size),
  }).finally(link.unlink);
  await answer.body?.cancel();
  const etag = answer.headers.get("etag") ?? "";
  if (isOther(unquoted(etag), digest.digest("hex"), answer.headers)) {
    throw new Problem(502, "backend_error", "The backend has got a part other than it was sent.");
  }
  const member = checksum && { [partMember[checksum.algorithm]]: trailing?.checksum() };
  return { PartNumber: part.number, ETag: etag, ...member };
}

/** Whether an ETag that is an MD5 is that of other content. */
function isOther(etag: string, md5: string, headers: Headers): boolean {
  const isEncrypted = headers.has("x-amz-server-side-encryption") ||
    headers.has("x-amz-server-side-encryption-customer-algorithm");
  return !isEncrypted && /^[0-9a-f]{32}$/.test(etag) && etag !== md5;
}
