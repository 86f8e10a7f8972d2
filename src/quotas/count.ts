import { ListObjectsV2Command, ListPartsCommand } from "@aws-sdk/client-s3";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { foreignAnswerProblem } from "../backends/upstream_error.ts";
import { Problem } from "../problem.ts";
import type { UploadId } from "../store/quotas_repository.ts";
import type { Amount } from "./account.ts";

/** Counts a bucket by listing all of it: the current versions of its objects. Throws 404 `not_found` for no such bucket. */
export async function countBucket({ connection, bucket }: BucketScope, signal: AbortSignal): Promise<Amount> {
  let bytes = 0;
  let objects = 0;
  let token: string | undefined;
  do {
    // Keys that XML cannot hold would break the answer if they were not encoded.
    const command = new ListObjectsV2Command({
      Bucket: bucket,
      ContinuationToken: token,
      EncodingType: "url",
    });
    const page = await connection.call((sdk, options) => sdk.send(command, options), {
      signal,
      answer: "ListBucketResult",
    });
    for (const { Size = 0 } of page.Contents ?? []) bytes += Size;
    objects += page.Contents?.length ?? 0;
    const next = page.IsTruncated ? page.NextContinuationToken : undefined;
    // The same page for ever, or a half-told one, is no count.
    if (page.IsTruncated && (next === undefined || next === token)) throw foreignAnswerProblem(200);
    token = next;
  } while (token !== undefined);
  return { bytes, objects };
}

/** An object as it is before something is done with it. */
export interface ObjectState {
  readonly bytes: number;
  /** With its quotes, as it goes into conditions such as `x-amz-copy-source-if-match`. */
  readonly etag: string;
}

/** Looks at an object; `undefined` when there is none. Throws what the backend's refusal is translated to. */
export async function findObject(
  { connection, bucket }: BucketScope,
  key: string,
  options: { readonly versionId?: string; readonly signal?: AbortSignal } = {},
): Promise<ObjectState | undefined> {
  const { versionId, signal } = options;
  try {
    const { headers } = await connection.send({ method: "HEAD", bucket, key, query: { versionId }, signal });
    return { bytes: Number(headers.get("content-length")), etag: headers.get("etag") ?? "" };
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}

/** Whether a multipart upload is neither completed nor aborted. MinIO lists the uploads of one key only, so ask for each. */
export async function uploadExists(
  { connection, bucket }: BucketScope,
  { key, uploadId }: UploadId,
  signal: AbortSignal,
): Promise<boolean> {
  const command = new ListPartsCommand({ Bucket: bucket, Key: key, UploadId: uploadId, MaxParts: 1 });
  try {
    await connection.call((sdk, options) => sdk.send(command, options), { signal });
    return true;
  } catch (error) {
    if (error instanceof Problem && error.detail?.upstream_code === "NoSuchUpload") return false;
    throw error;
  }
}
