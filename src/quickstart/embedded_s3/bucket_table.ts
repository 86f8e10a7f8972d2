import type { Database } from "../../store/database.ts";
import { S3Error } from "./s3_error.ts";

/** A bucket; `createdAt` in milliseconds since the epoch. */
export interface Bucket {
  readonly name: string;
  readonly createdAt: number;
}

/** Throws `NoSuchBucket` unless the bucket exists. */
export function requireBucket(database: Database, name: string): void {
  if (!hasBucket(database, name)) throw new S3Error("NoSuchBucket");
}

/** Whether the bucket exists. */
export function hasBucket(database: Database, name: string): boolean {
  return database.get("SELECT 1 FROM buckets WHERE name = ?", name) !== undefined;
}

/** Every bucket, by name. */
export function allBuckets(database: Database): Bucket[] {
  return database.all("SELECT name, created_at FROM buckets ORDER BY name")
    .map((row) => ({ name: String(row.name), createdAt: Number(row.created_at) }));
}

/** Adds a bucket. */
export function insertBucket(database: Database, bucket: Bucket): void {
  database.run("INSERT INTO buckets (name, created_at) VALUES (?, ?)", bucket.name, bucket.createdAt);
}

/** Whether there is any object in the bucket. */
export function holdsObjects(database: Database, name: string): boolean {
  return database.get("SELECT 1 FROM objects WHERE bucket = ? LIMIT 1", name) !== undefined;
}

/** Removes a bucket that nothing refers to any more. */
export function removeBucket(database: Database, name: string): void {
  database.run("DELETE FROM buckets WHERE name = ?", name);
}
