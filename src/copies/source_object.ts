import { type ChecksumAlgorithm, checksumAlgorithms, checksumHeader } from "../checksums/checksum.ts";
import type { CopyAttributes, CopyOptions, CopySource } from "../objects/copy.ts";
import { metadataHeaders } from "../objects/metadata.ts";
import { Problem } from "../problem.ts";

/** Headers that say how an object's content is to be used; they belong to it as its metadata does. */
const contentHeaders = [
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-type",
  "expires",
];

/** Those without which content is not what it was. */
const essentialHeaders = ["content-encoding", "content-type"];

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-class-intro.html; other servers name classes of their own. */
const readableClasses = [
  "REDUCED_REDUNDANCY",
  "STANDARD_IA",
  "ONEZONE_IA",
  "INTELLIGENT_TIERING",
  "GLACIER_IR",
];

const metadataPrefix = "x-amz-meta-";

/** A checksum that the backend keeps with an object. */
export interface StoredChecksum {
  readonly algorithm: ChecksumAlgorithm;
  /** In base64; of a multipart upload's own kind, it is followed by the number of parts. */
  readonly value: string;
  /** Whether it is that of the whole content, and not made of those of its parts. */
  readonly isWhole: boolean;
}

/** An object that is to be copied, as its backend describes it. */
export interface SourceObject {
  /** In bytes. */
  readonly size: number;
  /** With its quotes, as a condition needs it. */
  readonly etag: string;
  readonly lastModified: string;
  readonly versionId?: string;
  /** Content headers and user metadata as they are stored, by their lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly storageClass?: string;
  readonly checksum?: StoredChecksum;
  /** Whether the ETag says nothing about the content, since it was encrypted with a key of its own. */
  readonly hasOpaqueEtag: boolean;
}

/**
 * Asks for a source. Throws 404 `not_found` for one that is not there, and for a delete marker; 412 `precondition_failed` for
 * one that is not the one that is meant.
 */
export async function readSource(source: CopySource, signal: AbortSignal): Promise<SourceObject> {
  return describe(await headObject(source, signal));
}

/** The headers of an object, with its checksum. */
export async function headObject(
  { connection, bucket, key, versionId, ifMatch }: CopySource,
  signal?: AbortSignal,
  partNumber?: string,
): Promise<Headers> {
  const asked = new Headers({ "x-amz-checksum-mode": "ENABLED" });
  if (ifMatch !== undefined) asked.set("if-match", ifMatch);
  const query = { partNumber, versionId };
  const { headers } = await connection.send({ method: "HEAD", bucket, key, query, headers: asked, signal });
  return headers;
}

/** An object as its backend describes it; `undefined` where there is none. */
export async function findObject(object: CopySource, signal: AbortSignal): Promise<SourceObject | undefined> {
  try {
    return describe(await headObject(object, signal));
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}

/** What an object's headers say about it. */
export function describe(headers: Headers): SourceObject {
  return {
    size: Number(headers.get("content-length")),
    etag: headers.get("etag") ?? "",
    lastModified: headers.get("last-modified") ?? "",
    versionId: headers.get("x-amz-version-id") ?? undefined,
    headers: Object.fromEntries(
      [...headers].filter(([name]) => contentHeaders.includes(name) || name.startsWith(metadataPrefix)),
    ),
    storageClass: headers.get("x-amz-storage-class") ?? undefined,
    checksum: readChecksum(headers),
    hasOpaqueEtag: hasOpaqueEtag(headers),
  };
}

/** Whether two descriptions are of one object as it was stored once: not of another one under its name, nor of a copy. */
export function isSameObject(one: SourceObject, other: SourceObject): boolean {
  return one.etag === other.etag && one.lastModified === other.lastModified &&
    one.versionId === other.versionId;
}

/** Whether an object was stored at a time, in milliseconds since the epoch, or later; its headers tell whole seconds. */
export function isStoredSince({ lastModified }: SourceObject, since: number): boolean {
  return Date.parse(lastModified) >= Math.floor(since / 1000) * 1000;
}

/** The content headers and metadata of a copy: those of its source that are kept, but for what is replaced. */
export function copiedHeaders(
  { headers }: SourceObject,
  { replace, attributes }: Pick<CopyOptions, "replace" | "attributes">,
): Record<string, string> {
  const keepsAll = attributes?.keepsMetadata ?? true;
  const isKept = (name: string) =>
    (keepsAll || essentialHeaders.includes(name)) &&
    (replace?.metadata === undefined || !name.startsWith(metadataPrefix));
  const described = {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name))),
    ...replace?.headers,
    ...metadataHeaders(replace?.metadata ?? {}),
  };
  if (replace === undefined) return described;
  return Object.fromEntries(Object.entries(described).filter(([, value]) => value !== ""));
}

/**
 * The storage class of a copy: the one that is asked for, else that of its source, if that is one of those from which an
 * object can be read at once.
 */
export function storageHeaders(
  { storageClass = "" }: Pick<SourceObject, "storageClass">,
  attributes: CopyAttributes | undefined,
): Record<string, string> {
  const kept = readableClasses.includes(storageClass) ? storageClass : undefined;
  const wanted = attributes?.storageClass ?? kept;
  return wanted === undefined ? {} : { "x-amz-storage-class": wanted };
}

function readChecksum(headers: Headers): StoredChecksum | undefined {
  for (const algorithm of checksumAlgorithms) {
    const value = headers.get(checksumHeader(algorithm));
    if (value === null) continue;
    return { algorithm, value, isWhole: !value.includes("-") };
  }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html: with SSE-C and SSE-KMS an ETag is no MD5. */
function hasOpaqueEtag(headers: Headers): boolean {
  return headers.has("x-amz-server-side-encryption-customer-algorithm") ||
    (headers.get("x-amz-server-side-encryption") ?? "").startsWith("aws:kms");
}
