import { HeadBucketCommand } from "@aws-sdk/client-s3";
import { notFound, Problem } from "../problem.ts";
import type { BucketScope } from "./bucket_scope.ts";
import { isNewBucketName } from "./names.ts";

/** Asks the backend whether a bucket exists. Throws what it answers to someone who must not know. */
export async function bucketExists(
  { connection, bucket }: BucketScope,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    await connection.call(
      (sdk, options) => sdk.send(new HeadBucketCommand({ Bucket: bucket }), options),
      { signal },
    );
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // A name that a server does not allow is a bare 400: the answer to a HEAD has no code.
    const isNoName = error.detail?.upstream_status === 400 && !isNewBucketName(bucket);
    if (error.status === 404 || isNoName) return false;
    throw error;
  }
}

/** Throws 404 `not_found` for a bucket that does not exist. */
export async function requireBucket(scope: BucketScope): Promise<void> {
  if (!await bucketExists(scope)) throw notFound("There is no such bucket.");
}
