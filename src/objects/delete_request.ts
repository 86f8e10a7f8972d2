import { DeleteObjectCommand } from "@aws-sdk/client-s3";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { Problem } from "../problem.ts";

/** An object, or one of its versions. */
export interface ObjectIdentifier {
  readonly key: string;
  readonly versionId?: string;
}

/** Deletes whatever the backend takes the key for. */
export async function sendDelete(
  { connection, bucket }: BucketScope,
  { key, versionId }: ObjectIdentifier,
): Promise<void> {
  const command = new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId });
  try {
    await connection.call((sdk, options) => sdk.send(command, options));
  } catch (error) {
    if (!(error instanceof Problem && error.detail?.upstream_code === "NoSuchKey")) throw error;
  }
}
