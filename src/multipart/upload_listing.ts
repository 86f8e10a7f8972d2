import { ListMultipartUploadsCommand } from "@aws-sdk/client-s3";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { foreignAnswerProblem } from "../backends/upstream_error.ts";
import { decodeKey } from "../objects/listing.ts";
import type { UploadId } from "../store/quotas_repository.ts";

/** Most uploads that S3 lists at a time. */
export const maxUploads = 1000;

/** A multipart upload that is neither complete nor aborted. */
export interface UnfinishedUpload extends UploadId {
  readonly initiatedAt: Date;
  readonly storageClass?: string;
}

/** Which page of a bucket's unfinished uploads is asked for. */
export interface UploadQuery {
  readonly prefix: string;
  /** Where an earlier page ended: its `nextKeyMarker` and `nextUploadIdMarker`. */
  readonly keyMarker?: string;
  readonly uploadIdMarker?: string;
  /** 1 to {@link maxUploads}. */
  readonly limit: number;
}

/** A page of unfinished uploads. */
export interface UploadPage {
  readonly uploads: UnfinishedUpload[];
  readonly isTruncated: boolean;
  /** Both are there when it is truncated. */
  readonly nextKeyMarker?: string;
  readonly nextUploadIdMarker?: string;
}

/** Lists one page of unfinished uploads as the backend tells it. Throws 404 `not_found` for an unknown bucket. */
export async function fetchUploadPage(
  { connection, bucket }: BucketScope,
  { prefix, keyMarker, uploadIdMarker, limit }: UploadQuery,
  signal?: AbortSignal,
): Promise<UploadPage> {
  const command = new ListMultipartUploadsCommand({
    Bucket: bucket,
    Prefix: prefix || undefined,
    KeyMarker: keyMarker,
    UploadIdMarker: uploadIdMarker,
    MaxUploads: limit,
    // XML cannot hold every character that a key can.
    EncodingType: "url",
  });
  const page = await connection.call((sdk, options) => sdk.send(command, options), {
    signal,
    answer: "ListMultipartUploadsResult",
  });
  const decode = page.EncodingType === "url" ? decodeKey : (text: string) => text;
  const uploads = (page.Uploads ?? []).map((upload) => ({
    key: decode(upload.Key ?? ""),
    uploadId: upload.UploadId ?? "",
    initiatedAt: upload.Initiated ?? new Date(0),
    storageClass: upload.StorageClass || undefined,
  }));
  if (!page.IsTruncated) return { uploads, isTruncated: false };
  // MinIO leaves out the key when it lists the uploads of a single one.
  const last = uploads.at(-1);
  const nextKeyMarker = page.NextKeyMarker ? decode(page.NextKeyMarker) : last?.key;
  const nextUploadIdMarker = page.NextUploadIdMarker || last?.uploadId;
  const isStuck = nextKeyMarker === undefined ||
    (nextKeyMarker === keyMarker && nextUploadIdMarker === uploadIdMarker);
  // The same page for ever, or a half-told one, is no listing.
  if (isStuck) throw foreignAnswerProblem(200);
  return { uploads, isTruncated: true, nextKeyMarker, nextUploadIdMarker };
}
