import { DeleteObjectCommand } from "@aws-sdk/client-s3";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { Problem } from "../problem.ts";

/** An object, or one of its versions. */
export interface ObjectIdentifier {
  readonly key: string;
  readonly versionId?: string;
}

/** An object that is to be deleted. */
export interface Deletion extends ObjectIdentifier {
  /**
   * As in the header `If-Match`: what the ETag has to be, else 412 `precondition_failed` is thrown. Not every backend heeds
   * it: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-deletes.html
   */
  readonly ifMatch?: string;
}

/** Deletes whatever the backend takes the key for. */
export async function sendDelete(
  { connection, bucket }: BucketScope,
  { key, versionId, ifMatch }: Deletion,
): Promise<void> {
  const command = new DeleteObjectCommand({
    Bucket: bucket,
    Key: key,
    VersionId: versionId,
    IfMatch: ifMatch,
  });
  try {
    await connection.call((sdk, options) => sdk.send(command, options));
  } catch (error) {
    if (!(error instanceof Problem && error.detail?.upstream_code === "NoSuchKey")) throw error;
  }
}
