import { GetObjectTaggingCommand } from "@aws-sdk/client-s3";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { unquoted } from "./listing.ts";
import { readMetadata } from "./metadata.ts";
import { lockOf } from "./version_lock.ts";

/** Everything about an object but its content, in the form the API answers. Throws 404 `not_found`. */
export async function objectInfo(
  { connection, bucket }: BucketScope,
  { key, versionId }: { key: string; versionId?: string },
  signal: AbortSignal,
) {
  const [{ headers }, tagCount] = await Promise.all([
    connection.send({
      method: "HEAD",
      bucket,
      key,
      query: { versionId },
      headers: { "x-amz-checksum-mode": "ENABLED" },
      signal,
    }),
    countTags(),
  ]);
  const lastModified = Date.parse(headers.get("last-modified") ?? "");
  return {
    key,
    size: Number(headers.get("content-length")),
    etag: unquoted(headers.get("etag")),
    content_type: headers.get("content-type") ?? "application/octet-stream",
    content_encoding: headers.get("content-encoding") ?? undefined,
    content_language: headers.get("content-language") ?? undefined,
    content_disposition: headers.get("content-disposition") ?? undefined,
    cache_control: headers.get("cache-control") ?? undefined,
    expires: timeOf(headers.get("expires")),
    storage_class: headers.get("x-amz-storage-class") ?? "STANDARD",
    last_modified: Number.isNaN(lastModified) ? undefined : new Date(lastModified).toISOString(),
    version_id: headers.get("x-amz-version-id") ?? undefined,
    metadata: readMetadata(headers),
    tag_count: tagCount,
    checksums: checksumsOf(headers),
    encryption: encryptionOf(headers),
    lock: lockOf(headers),
  };

  /** `undefined` where the backend has no tags or does not let them be read. */
  async function countTags(): Promise<number | undefined> {
    const command = new GetObjectTaggingCommand({ Bucket: bucket, Key: key, VersionId: versionId });
    try {
      const { TagSet } = await connection.call((sdk, options) => sdk.send(command, options), { signal });
      return TagSet?.length;
    } catch {
      return undefined;
    }
  }
}

/** The checksums that are stored with an object, by the names of their algorithms; `undefined` for none. */
function checksumsOf(headers: Headers): Record<string, string> | undefined {
  const prefix = "x-amz-checksum-";
  const found = [...headers].filter(([name]) => name.startsWith(prefix) && name !== `${prefix}type`);
  if (found.length === 0) return undefined;
  return Object.fromEntries(found.map(([name, value]) => [name.slice(prefix.length).toUpperCase(), value]));
}

/** How the backend says that it keeps an object encrypted; `undefined` where it says nothing. */
function encryptionOf(headers: Headers): { algorithm: string; key_id?: string } | undefined {
  const algorithm = headers.get("x-amz-server-side-encryption");
  if (algorithm === null) return undefined;
  return { algorithm, key_id: headers.get("x-amz-server-side-encryption-aws-kms-key-id") ?? undefined };
}

/** A date in the form of the API; what somebody else has stored in place of one stays as it is. */
function timeOf(date: string | null): string | undefined {
  if (date === null) return undefined;
  const time = Date.parse(date);
  return Number.isNaN(time) || !date.endsWith("GMT") ? date : new Date(time).toISOString();
}
