import type { Database } from "./database.ts";

/** Names of the buckets of a backend whose size is tracked. */
export function listSizeTrackedBuckets(database: Database, backendId: string): Set<string> {
  const rows = database.all(
    "SELECT bucket FROM bucket_settings WHERE backend_id = ? AND size_tracked = 1",
    backendId,
  );
  return new Set(rows.map((row) => String(row.bucket)));
}

/** Turns tracking of a bucket's size on or off. */
export function setSizeTracked(
  database: Database,
  backendId: string,
  bucket: string,
  enabled: boolean,
): void {
  database.run(
    `INSERT INTO bucket_settings (backend_id, bucket, size_tracked) VALUES (?, ?, ?)
     ON CONFLICT (backend_id, bucket) DO UPDATE SET size_tracked = excluded.size_tracked`,
    backendId,
    bucket,
    Number(enabled),
  );
}

/** Forgets everything that is kept about a bucket. */
export function deleteBucketSettings(database: Database, backendId: string, bucket: string): void {
  database.run("DELETE FROM bucket_settings WHERE backend_id = ? AND bucket = ?", backendId, bucket);
}
