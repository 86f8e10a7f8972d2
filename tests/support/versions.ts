import assert from "node:assert/strict";
import { PutBucketVersioningCommand } from "@aws-sdk/client-s3";
import { bucketName, type TestBucket } from "./bucket.ts";
import { json } from "./http_client.ts";
import { s3Client } from "./s3_client.ts";
import type { Upstream } from "./upstreams.ts";

/** A version as the API lists it. */
export interface Version {
  readonly key: string;
  readonly version_id: string;
  readonly is_latest: boolean;
  readonly is_delete_marker: boolean;
  readonly size: number;
}

/** Switches versioning on for the bucket that `withBucket` creates. */
export async function enableVersioning(upstream: Upstream): Promise<void> {
  using s3 = s3Client(upstream);
  const VersioningConfiguration = { Status: "Enabled" } as const;
  await s3.send(new PutBucketVersioningCommand({ Bucket: bucketName, VersioningConfiguration }));
}

/** What tests do with versions. */
export function versionsOf({ client, bucket, object }: TestBucket) {
  const list = (query: string) => json(client.get(`${bucket}/object/versions?${query}`));
  return {
    list,
    /** All versions of a key. */
    async of(key: string): Promise<Version[]> {
      const { versions, is_truncated } = await list(`key=${encodeURIComponent(key)}`);
      assert.equal(is_truncated, false);
      return versions;
    },
    /** Path of a version. */
    at: (key: string, version: string) => `${object(key)}&version_id=${version}`,
    info: (key: string, more = "") =>
      client.get(`${object(key).replace("/object?", "/object/info?")}${more}`),
    restore: (key: string, version_id: string) =>
      client.post(`${bucket}/object/restore`, { json: { key, version_id } }),
    remove: (...keys: unknown[]) => client.post(`${bucket}/objects/delete`, { json: { keys } }),
  };
}
