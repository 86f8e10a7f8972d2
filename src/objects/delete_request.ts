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

/**
 * Deletes whatever the backend takes the key for. Returns the version id of the delete marker that was made, in a bucket that
 * keeps versions.
 */
export async function sendDelete(
  { connection, bucket }: BucketScope,
  { key, versionId, ifMatch }: Deletion,
): Promise<string | undefined> {
  const command = new DeleteObjectCommand({
    Bucket: bucket,
    Key: key,
    VersionId: versionId,
    IfMatch: ifMatch,
  });
  try {
    const { DeleteMarker, VersionId } = await connection.call((sdk, options) => sdk.send(command, options));
    return DeleteMarker && versionId === undefined ? VersionId : undefined;
  } catch (error) {
    if (!(error instanceof Problem && error.detail?.upstream_code === "NoSuchKey")) throw error;
  }
}
