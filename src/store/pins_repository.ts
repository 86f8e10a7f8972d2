import type { Database } from "./database.ts";

/**
 * Something that can be pinned: a bucket, a folder of one, either as a filter shows it, or a search. What it does not have is
 * empty; a search of everything has neither backend nor bucket.
 */
export interface Place {
  readonly backend: string;
  readonly bucket: string;
  readonly prefix: string;
  /** What the shown names hold. */
  readonly filter: string;
  /** What is searched for in the place; empty for the place itself. */
  readonly search: string;
}

/** A place that a user has pinned. */
export interface Pin extends Place {
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A user's pins, oldest first. */
export function listPins(database: Database, userId: string): Pin[] {
  const rows = database.all(
    `SELECT backend_id, bucket, prefix, filter, search, created_at FROM pins WHERE user_id = ?
     ORDER BY created_at, backend_id, bucket, prefix, filter, search`,
    userId,
  );
  return rows.map((row) => ({
    backend: String(row.backend_id),
    bucket: String(row.bucket),
    prefix: String(row.prefix),
    filter: String(row.filter),
    search: String(row.search),
    createdAt: Number(row.created_at),
  }));
}

/** Keeps a pin. Does nothing when it is there already, or the user is no more. */
export function insertPin(database: Database, userId: string, { createdAt, ...place }: Pin): void {
  database.run(
    `INSERT INTO pins (user_id, backend_id, bucket, prefix, filter, search, created_at)
     SELECT id, ?, ?, ?, ?, ?, ? FROM users WHERE id = ? ON CONFLICT DO NOTHING`,
    ...columnsOf(place),
    createdAt,
    userId,
  );
}

/** Removes a pin, if there is one. */
export function deletePin(database: Database, userId: string, place: Place): void {
  database.run(
    `DELETE FROM pins
     WHERE user_id = ? AND backend_id = ? AND bucket = ? AND prefix = ? AND filter = ? AND search = ?`,
    userId,
    ...columnsOf(place),
  );
}

/** Removes every user's pins of a bucket and of what is in it. */
export function deletePinsOfBucket(database: Database, backend: string, bucket: string): void {
  database.run("DELETE FROM pins WHERE backend_id = ? AND bucket = ?", backend, bucket);
}

function columnsOf({ backend, bucket, prefix, filter, search }: Place): string[] {
  return [backend, bucket, prefix, filter, search];
}
