import type { RequestContext } from "../http/route.ts";
import { requireBucketName } from "./names.ts";
import type { BackendRegistry } from "./registry.ts";
import type { S3Connection } from "./s3_client.ts";

/** The bucket that a request is about, and the connection to its backend. */
export interface BucketScope {
  readonly connection: S3Connection;
  readonly bucket: string;
}

/**
 * A bucket of an enabled backend. Throws 404 `not_found` for an unknown backend and 400 `invalid_bucket_name`. Whether the
 * bucket exists, its backend will say.
 */
export function findBucket(registry: BackendRegistry, backendId: string, bucket: string): BucketScope {
  const connection = registry.connect(backendId);
  requireBucketName(bucket);
  return { connection, bucket };
}

/** {@link findBucket} for `{bid}` and `{bucket}` of a request's path, noting both for the audit. */
export function bucketScope({ params, audit }: RequestContext, registry: BackendRegistry): BucketScope {
  audit.backend = params.bid;
  audit.bucket = params.bucket;
  return findBucket(registry, params.bid, params.bucket);
}
