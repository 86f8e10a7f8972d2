import type { Database } from "./database.ts";

/** The CORS rules of a bucket at the S3 endpoint. */
export interface StoredProxyCors {
  readonly backend: string;
  readonly bucket: string;
  /** JSON, as the API takes it. */
  readonly rules: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  /** Name of the user who set them. */
  readonly updatedBy: string;
}

/** The rules of every bucket that has some, in the order of the backends' ids. */
export function listProxyCors(database: Database): StoredProxyCors[] {
  return database.all("SELECT * FROM proxy_cors ORDER BY backend_id, bucket").map((row) => ({
    backend: String(row.backend_id),
    bucket: String(row.bucket),
    rules: String(row.rules),
    updatedAt: Number(row.updated_at),
    updatedBy: String(row.updated_by),
  }));
}

/** Puts the rules of a bucket in place of those it had. */
export function storeProxyCors(database: Database, cors: StoredProxyCors): void {
  database.run(
    `INSERT INTO proxy_cors (backend_id, bucket, rules, updated_at, updated_by) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (backend_id, bucket) DO UPDATE
     SET rules = excluded.rules, updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
    cors.backend,
    cors.bucket,
    cors.rules,
    cors.updatedAt,
    cors.updatedBy,
  );
}

/** Removes the rules of a bucket. */
export function deleteProxyCors(database: Database, backend: string, bucket: string): void {
  database.run("DELETE FROM proxy_cors WHERE backend_id = ? AND bucket = ?", backend, bucket);
}
