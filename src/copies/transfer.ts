import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { putObject, type StoredObject } from "../objects/stored_object.ts";
import { checksumHeader } from "../checksums/checksum.ts";
import { withChecksum } from "./kept_checksum.ts";
import type { MadeCopy, ObjectCopy } from "./object_copy.ts";
import { type PartLayout, readLayout } from "./part_layout.ts";
import { retried } from "./retry.ts";
import { readContent } from "./source_content.ts";
import type { StoredChecksum } from "./source_object.ts";
import { sendInParts } from "./transfer_parts.ts";

/** Largest object that is held in memory, in bytes. */
const maxHeldBytes = 8 << 20;

/** Size of the parts of an object that was not stored in parts, in bytes. */
const ownLayout: PartLayout = { partBytes: 16 << 20, isOfSource: false };

/**
 * Sends an object from one backend to another. A small one is sent once it is complete, a larger one in parts that are read
 * and sent at once. The copy has the parts of the source where these are known. Checksums are kept: those of the whole
 * content, but for SHA-1 and SHA-256, which S3 has only for parts, where the copy goes in parts. A target that does not take
 * them gets none.
 */
export async function transferObject(copy: ObjectCopy): Promise<MadeCopy> {
  const { source, original, options, memory } = copy;
  const layout = await readLayout(source, original, options.signal) ??
    (original.size > maxHeldBytes ? ownLayout : undefined);
  const stored = await withChecksum(
    original.checksum,
    (checksum) =>
      layout === undefined
        ? memory.hold(original.size, () => sendWhole(copy, checksum))
        : sendInParts(copy, layout, checksum),
  );
  return { stored, layout };
}

async function sendWhole(
  { source, original, target, options }: ObjectCopy,
  checksum: StoredChecksum | undefined,
): Promise<StoredObject> {
  const { signal, onProgress } = options;
  const content = Buffer.alloc(original.size);
  await retried(signal, async () => {
    let received = 0;
    for await (const piece of await readContent(source, original, signal)) {
      content.set(piece, received);
      received += piece.length;
    }
  });
  const headers: Record<string, string> = {
    ...target.headers,
    "content-md5": createHash("md5").update(content).digest("base64"),
  };
  if (checksum?.isWhole) headers[checksumHeader(checksum.algorithm)] = checksum.value;
  // What a server has got of a body that is broken off may be kept by it.
  const unbroken = new AbortController().signal;
  const stored = await putObject({ ...target, headers }, content, unbroken);
  onProgress?.(content.length);
  return stored;
}
