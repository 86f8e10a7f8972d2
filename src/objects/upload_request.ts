import { AbortMultipartUploadCommand } from "@aws-sdk/client-s3";
import type { BucketScope } from "../backends/bucket_scope.ts";
import type { UploadId } from "../store/quotas_repository.ts";

/**
 * Asks the backend once to remove a multipart upload and its parts. Throws 404 for one that it does not know, where it says
 * so: MinIO takes that for a success.
 */
export async function sendAbort(
  { connection, bucket }: BucketScope,
  { key, uploadId }: UploadId,
): Promise<void> {
  const command = new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId });
  await connection.call((sdk, options) => sdk.send(command, options));
}
