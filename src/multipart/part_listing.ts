import { ListPartsCommand } from "@aws-sdk/client-s3";
import { foreignAnswerProblem } from "../backends/upstream_error.ts";
import { unquoted } from "../objects/listing.ts";
import { maxParts, type UploadScope, withUpload } from "./upload.ts";

/** A part that the backend has. */
export interface StoredPart {
  readonly partNumber: number;
  /** Without its quotes. */
  readonly etag: string;
  /** In bytes. */
  readonly size: number;
  readonly lastModified: Date;
}

/** Which parts of an upload are asked for. */
export interface PartQuery {
  /** Parts up to this number are left out. */
  readonly after?: number;
  /** Most parts to list; all of them unless told. */
  readonly limit?: number;
}

/** Some of the parts of an upload, in ascending order. */
export interface PartPage {
  readonly parts: StoredPart[];
  /** Whether there are more behind them. */
  readonly isTruncated: boolean;
}

/** Most parts that S3 lists at a time. */
const pageSize = 1000;

/** Lists the parts of an upload, page by page. Throws 404 `not_found` for an upload that is not there. */
export async function listParts(
  upload: UploadScope,
  { after = 0, limit = maxParts }: PartQuery,
  signal?: AbortSignal,
): Promise<PartPage> {
  const parts: StoredPart[] = [];
  while (true) {
    const marker = parts.at(-1)?.partNumber ?? after;
    const page = await fetchPage(upload, marker, Math.min(limit - parts.length, pageSize), signal);
    parts.push(...page.parts);
    if (parts.length >= limit || !page.isTruncated) {
      return { parts: parts.slice(0, limit), isTruncated: page.isTruncated || parts.length > limit };
    }
  }
}

/** Throws 404 `not_found` for an upload that is not there. */
export async function requireUpload(upload: UploadScope, signal?: AbortSignal): Promise<void> {
  await listParts(upload, { limit: 1 }, signal);
}

async function fetchPage(
  upload: UploadScope,
  after: number,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<PartPage> {
  const { connection, bucket, key, uploadId } = upload;
  const command = new ListPartsCommand({
    Bucket: bucket,
    Key: key,
    UploadId: uploadId,
    PartNumberMarker: after === 0 ? undefined : String(after),
    MaxParts: limit,
  });
  const { Parts = [], IsTruncated = false } = await withUpload(
    upload,
    () =>
      connection.call((sdk, options) => sdk.send(command, options), { signal, answer: "ListPartsResult" }),
  );
  const parts = Parts.map(({ PartNumber = 0, ETag, Size = 0, LastModified }) => ({
    partNumber: PartNumber,
    etag: unquoted(ETag),
    size: Size,
    lastModified: LastModified ?? new Date(0),
  }));
  // A page that repeats what was before it, or says that there is more but gives none, would be asked for again and again.
  const isInOrder = parts.every(({ partNumber }, index) =>
    partNumber > (parts[index - 1]?.partNumber ?? after) && partNumber <= maxParts
  );
  if (!isInOrder || (IsTruncated && parts.length === 0)) throw foreignAnswerProblem(200);
  return { parts, isTruncated: IsTruncated };
}
