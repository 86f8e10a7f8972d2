import type { Database } from "./database.ts";

/** A bucket of a backend. */
export interface RecentBucket {
  readonly backend: string;
  readonly bucket: string;
}

/** The buckets that a user was in, the last first. */
export function listRecentBuckets(database: Database, userId: string): RecentBucket[] {
  const rows = database.all(
    `SELECT backend_id, bucket FROM recent_buckets WHERE user_id = ?
     ORDER BY visited_at DESC, backend_id, bucket`,
    userId,
  );
  return rows.map((row) => ({ backend: String(row.backend_id), bucket: String(row.bucket) }));
}

/**
 * Keeps that a user is in a bucket now, and of the buckets before it only the last, `limit` in all. Does nothing when the user
 * is no more.
 */
export function putRecentBucket(
  database: Database,
  userId: string,
  { backend, bucket }: RecentBucket,
  visitedAt: number,
  limit: number,
): void {
  database.transaction(() => {
    database.run(
      `INSERT INTO recent_buckets (user_id, backend_id, bucket, visited_at) SELECT id, ?, ?, ? FROM users WHERE id = ?
       ON CONFLICT DO UPDATE SET visited_at = excluded.visited_at`,
      backend,
      bucket,
      visitedAt,
      userId,
    );
    database.run(
      `DELETE FROM recent_buckets WHERE user_id = ?1 AND (backend_id, bucket) NOT IN (
         SELECT backend_id, bucket FROM recent_buckets WHERE user_id = ?1 ORDER BY visited_at DESC LIMIT ?2
       )`,
      userId,
      limit,
    );
  });
}

/** Removes a bucket from every user's list. */
export function deleteRecentBucket(database: Database, backend: string, bucket: string): void {
  database.run("DELETE FROM recent_buckets WHERE backend_id = ? AND bucket = ?", backend, bucket);
}
