import type { StoredObject, UploadTarget } from "../../objects/stored_object.ts";
import { partSizeFor, type UploadOptions, uploadStream, uploadWhole } from "../../objects/stream_upload.ts";
import { tooLarge } from "../../problem.ts";

const mebibyte = 1 << 20;
const gibibyte = 2 ** 30;

/** Up to this size a file is held until all of it is here; beyond, its bytes are passed on as they come. */
const maxHeldBytes = mebibyte;

/**
 * The largest part, and the least that all parts but the last must have:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
 */
const maxPartBytes = 5 * gibibyte;
const minPartBytes = 5 * mebibyte;

/** Memory that all files of strangers that are under way may take, in bytes: together, from one address and by one link. */
export const sentMemory = { total: 96 * mebibyte, perAddress: 24 * mebibyte, perLink: 48 * mebibyte };

/** What a file takes whose bytes are passed on as they come: the buffers of two connections. */
const passedOnMemory = 2 * mebibyte;

/**
 * How much memory a file takes while it is stored, in bytes; of two parts, one fills while the other is sent. Throws 413
 * `too_large` for a file whose parts would be too large for what one address may take.
 *
 * @param size `undefined` when it is not known beforehand
 */
export function memoryOf(size: number | undefined): number {
  if (size === undefined) return 2 * minPartBytes;
  if (size <= maxPartBytes) return passedOnMemory;
  const parts = 2 * partSizeFor(size);
  if (parts > sentMemory.perAddress) throw tooLarge("The file is larger than can be sent at once.");
  return parts;
}

/** Stores a file that is sent, within the memory that {@link memoryOf} tells. */
export function storeSent(
  target: UploadTarget,
  content: AsyncIterable<Uint8Array>,
  size: number | undefined,
  options: UploadOptions,
): Promise<StoredObject> {
  if (size === undefined) return uploadStream(target, content, minPartBytes, options);
  if (size <= maxHeldBytes) return uploadStream(target, content, Math.max(size, 1), options);
  return size <= maxPartBytes
    ? uploadWhole(target, content, size, options)
    : uploadStream(target, content, partSizeFor(size), options);
}
