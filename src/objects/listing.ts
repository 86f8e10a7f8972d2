import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { badRequest, Problem } from "../problem.ts";

/** Which page of a bucket's objects is asked for. */
export interface ListingQuery {
  readonly prefix: string;
  /** Keys are grouped up to its next occurrence after the prefix; empty for no grouping. */
  readonly delimiter: string;
  readonly token?: string;
  readonly startAfter?: string;
  readonly maxKeys: number;
  /** Whether to ask who owns each object; not asked unless told. */
  readonly owner?: boolean;
  /** Whether objects have their ETags: they are two thirds of what compression leaves of a page. They have unless told. */
  readonly etags?: boolean;
}

/** Lists one page of objects in the form the API answers. Throws 404 `not_found` for an unknown bucket. */
export async function listObjects(scope: BucketScope, query: ListingQuery, signal?: AbortSignal) {
  const page = await fetchPage(scope, query, signal);
  // Some servers ignore the request for encoded keys; those that heed it say so.
  const decode = page.EncodingType === "url" ? decodeKey : (text: string) => text;
  return {
    prefix: query.prefix,
    delimiter: query.delimiter,
    common_prefixes: (page.CommonPrefixes ?? []).map(({ Prefix = "" }) => decode(Prefix)),
    objects: (page.Contents ?? []).map((object) => ({
      key: decode(object.Key ?? ""),
      size: object.Size ?? 0,
      etag: query.etags === false ? undefined : unquoted(object.ETag),
      storage_class: object.StorageClass ?? "STANDARD",
      last_modified: (object.LastModified ?? new Date(0)).toISOString(),
      owner: query.owner ? object.Owner?.DisplayName || object.Owner?.ID || undefined : undefined,
    })),
    is_truncated: page.IsTruncated ?? false,
    next_continuation_token: page.NextContinuationToken,
  };
}

/** An ETag as JSON holds it: without its quotes. */
export function unquoted(etag: string | null | undefined): string {
  return (etag ?? "").replace(/^"(.*)"$/, "$1");
}

async function fetchPage({ connection, bucket }: BucketScope, query: ListingQuery, signal?: AbortSignal) {
  const command = new ListObjectsV2Command({
    Bucket: bucket,
    Prefix: query.prefix,
    Delimiter: query.delimiter || undefined,
    ContinuationToken: query.token,
    StartAfter: query.startAfter,
    MaxKeys: query.maxKeys,
    FetchOwner: query.owner,
    // XML cannot hold every character that a key can.
    EncodingType: "url",
  });
  try {
    return await connection.call((sdk, options) => sdk.send(command, options), {
      signal,
      answer: "ListBucketResult",
    });
  } catch (error) {
    const refusesToken = query.token !== undefined && error instanceof Problem &&
      error.detail?.upstream_status === 400;
    throw refusesToken ? badRequest("token: the backend does not accept it", { field: "token" }) : error;
  }
}

/** Decodes the form encoding in which S3 returns keys: a space may be a plus sign. Other text stays as it is. */
export function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
