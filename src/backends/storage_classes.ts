import type { S3Connection } from "./s3_client.ts";

/** Matches nothing. */
const never = /(?!)/;

/**
 * Storage classes of services and servers that are known, each with its usual one first; objects of all of them can be
 * stored directly. What a server can be told to have besides, such as Ceph's placement classes, nothing asks for by S3.
 */
const known: readonly (readonly [server: RegExp, host: RegExp, classes: readonly string[]])[] = [
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-class-intro.html
  [/^AmazonS3$/, /\.amazonaws\.com(?:\.cn)?$/, [
    "STANDARD",
    "INTELLIGENT_TIERING",
    "STANDARD_IA",
    "ONEZONE_IA",
    "GLACIER_IR",
    "GLACIER",
    "DEEP_ARCHIVE",
  ]],
  // https://developers.cloudflare.com/r2/buckets/storage-classes/
  [never, /\.r2\.cloudflarestorage\.com$/, ["STANDARD", "STANDARD_IA"]],
  // https://min.io/docs/minio/linux/reference/minio-server/settings/storage-class.html
  [/minio/i, never, ["STANDARD", "REDUCED_REDUNDANCY"]],
  // These keep everything in one.
  [/versity|wasabi|garage/i, /\.(?:wasabisys|backblazeb2)\.com$/, ["STANDARD"]],
];

/**
 * The storage classes that a backend is known to have, its usual one first; none where that is not known. Judged by its
 * host name, and by what it calls itself once it has answered anything.
 */
export function storageClassesOf({ backend, serverName = "" }: S3Connection): readonly string[] {
  const { hostname } = new URL(backend.endpoint);
  const found = known.find(([server, host]) => host.test(hostname) || server.test(serverName));
  return found?.[2] ?? [];
}
