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
 * Reads `{bid}` and `{bucket}` of a request's path and notes them for the audit. Throws 404 `not_found` for an unknown
 * backend and 400 `invalid_bucket_name`. Whether the bucket exists, its backend will say.
 */
export function bucketScope({ params, audit }: RequestContext, registry: BackendRegistry): BucketScope {
  audit.backend = params.bid;
  audit.bucket = params.bucket;
  const connection = registry.connect(params.bid);
  requireBucketName(params.bucket);
  return { connection, bucket: params.bucket };
}
