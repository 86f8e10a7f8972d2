import type { CompletedPart } from "@aws-sdk/client-s3";
import { type ChecksumAlgorithm, checksumHeader } from "../checksums/checksum.ts";
import { Problem } from "../problem.ts";
import type { StoredChecksum } from "./source_object.ts";

/** Algorithms whose checksums of parts make up that of the whole: S3 takes such a one at the end. */
const additive: readonly ChecksumAlgorithm[] = ["crc32", "crc32c", "crc64nvme"];

/** The member of a completion's part that holds its checksum. */
export const partMember = {
  crc32: "ChecksumCRC32",
  crc32c: "ChecksumCRC32C",
  crc64nvme: "ChecksumCRC64NVME",
  sha1: "ChecksumSHA1",
  sha256: "ChecksumSHA256",
} as const satisfies Record<ChecksumAlgorithm, keyof CompletedPart>;

/** Refusals of a checksum that does not fit the content. */
const mismatches = ["BadDigest", "InvalidDigest", "XAmzContentChecksumMismatch", "XAmzContentSHA256Mismatch"];

/** What the beginning and the end of a multipart upload say of its checksum. */
export interface UploadChecksum {
  readonly creation: Readonly<Record<string, string>>;
  readonly completion: Readonly<Record<string, string>>;
}

/**
 * Makes a multipart upload keep the checksum of its source: that of the whole content where S3 has it, else one of the same
 * algorithm for each part.
 */
export function uploadChecksum(checksum: StoredChecksum | undefined): UploadChecksum {
  if (checksum === undefined) return { creation: {}, completion: {} };
  const { algorithm, value } = checksum;
  const isWhole = checksum.isWhole && additive.includes(algorithm);
  const type = { "x-amz-checksum-type": isWhole ? "FULL_OBJECT" : "COMPOSITE" };
  return {
    creation: { ...type, "x-amz-checksum-algorithm": algorithm.toUpperCase() },
    completion: isWhole ? { ...type, [checksumHeader(algorithm)]: value } : {},
  };
}

/** Does `write` with a checksum or, where the backend does not take that, without. */
export async function withChecksum<T>(
  checksum: StoredChecksum | undefined,
  write: (checksum?: StoredChecksum) => Promise<T>,
): Promise<T> {
  try {
    return await write(checksum);
  } catch (error) {
    if (checksum === undefined || !isRefusal(error)) throw error;
    return await write();
  }
}

/** Whether a backend does not accept the form of a request. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Problem)) return false;
  const { upstream_status: status, upstream_code: code } = error.detail ?? {};
  return (status === 400 || status === 501) && !mismatches.includes(String(code));
}
