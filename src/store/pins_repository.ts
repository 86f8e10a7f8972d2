import type { Database } from "./database.ts";

/** A bucket that a user has pinned. */
export interface Pin {
  readonly backend: string;
  readonly bucket: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A user's pins, oldest first. */
export function listPins(database: Database, userId: string): Pin[] {
  const rows = database.all(
    "SELECT backend_id, bucket, created_at FROM pins WHERE user_id = ? ORDER BY created_at, backend_id, bucket",
    userId,
  );
  return rows.map((row) => ({
    backend: String(row.backend_id),
    bucket: String(row.bucket),
    createdAt: Number(row.created_at),
  }));
}

/** Keeps a pin. Does nothing when it is there already, or the user is no more. */
export function insertPin(database: Database, userId: string, { backend, bucket, createdAt }: Pin): void {
  database.run(
    `INSERT INTO pins (user_id, backend_id, bucket, created_at) SELECT id, ?, ?, ? FROM users WHERE id = ?
     ON CONFLICT DO NOTHING`,
    backend,
    bucket,
    createdAt,
    userId,
  );
}

/** Removes a pin, if there is one. */
export function deletePin(database: Database, userId: string, backend: string, bucket: string): void {
  database.run(
    "DELETE FROM pins WHERE user_id = ? AND backend_id = ? AND bucket = ?",
    userId,
    backend,
    bucket,
  );
}

/** Removes every user's pin of a bucket. */
export function deletePinsOfBucket(database: Database, backend: string, bucket: string): void {
  database.run("DELETE FROM pins WHERE backend_id = ? AND bucket = ?", backend, bucket);
}
