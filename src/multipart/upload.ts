import type { BucketScope } from "../backends/bucket_scope.ts";
import { Problem } from "../problem.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import type { UploadRecords } from "./records.ts";

/** Highest number of a part, and the most parts of an upload: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
export const maxParts = 10_000;

/** A multipart upload, and what is kept about it here. */
export interface UploadScope extends BucketScope {
  readonly key: string;
  readonly uploadId: string;
  readonly records: UploadRecords;
  readonly ledger: QuotaLedger;
}

/** Forgets an upload that is complete or aborted, and frees the room of parts that are no part of an object. */
export function endUpload({ connection, bucket, key, uploadId, records, ledger }: UploadScope): void {
  const upload = { key, uploadId };
  records.end(connection.backend.id, bucket, upload);
  ledger.abortUpload(connection.backend.id, bucket, upload);
}

/** Runs what needs an upload. Where the backend does not know that, it is forgotten here too. */
export async function withUpload<T>(upload: UploadScope, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && error.detail?.upstream_code === "NoSuchUpload") endUpload(upload);
    throw error;
  }
}
