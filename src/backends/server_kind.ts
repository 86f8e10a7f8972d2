import { bucketExists } from "./bucket_exists.ts";
import type { BucketScope } from "./bucket_scope.ts";

/** Servers with ways of their own that nothing but their name tells. */
export type ServerKind = "minio" | "versitygw" | "other";

/**
 * Which server a backend is, by what it calls itself. Asks for the bucket when it has not answered anything yet, and throws
 * what comes of that.
 */
export async function serverKind(scope: BucketScope, signal?: AbortSignal): Promise<ServerKind> {
  if (scope.connection.serverName === undefined) await bucketExists(scope, signal);
  const name = scope.connection.serverName ?? "";
  if (/minio/i.test(name)) return "minio";
  return /versity/i.test(name) ? "versitygw" : "other";
}
