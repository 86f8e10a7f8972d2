import type { Database, Row } from "./database.ts";

/** What a bucket's binding lets anyone do: read it, or nothing. */
export type AnonymousMode = "ReadOnly" | "None";

/** What the S3 endpoint lets anyone do with a bucket. */
export interface BindingRecord {
  readonly backendId: string;
  readonly bucket: string;
  readonly mode: AnonymousMode;
  /** Requests a second for each client address; 0 for what `s3_proxy.anonymous_rps` says. */
  readonly perSourceIpRps: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Id of the user who made it. */
  readonly createdBy: string;
}

/** Every stored binding, by bucket and backend. */
export function listStoredBindings(database: Database): BindingRecord[] {
  return database.all("SELECT * FROM anonymous_bindings ORDER BY bucket, backend_id").map(toRecord);
}

/**
 * Adds a binding, or replaces the mode and the rate of the one there is. Throws the database's constraint error when the
 * bucket of this name is open on another backend.
 */
export function upsertStoredBinding(database: Database, binding: BindingRecord): void {
  database.run(
    `INSERT INTO anonymous_bindings (backend_id, bucket, mode, per_source_ip_rps, created_at, created_by)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (backend_id, bucket) DO UPDATE
       SET mode = excluded.mode, per_source_ip_rps = excluded.per_source_ip_rps`,
    binding.backendId,
    binding.bucket,
    binding.mode,
    binding.perSourceIpRps,
    binding.createdAt,
    binding.createdBy,
  );
}

/** Removes a binding. */
export function deleteStoredBinding(database: Database, backendId: string, bucket: string): void {
  database.run("DELETE FROM anonymous_bindings WHERE backend_id = ? AND bucket = ?", backendId, bucket);
}

function toRecord(row: Row): BindingRecord {
  return {
    backendId: String(row.backend_id),
    bucket: String(row.bucket),
    mode: row.mode as AnonymousMode,
    perSourceIpRps: Number(row.per_source_ip_rps),
    createdAt: Number(row.created_at),
    createdBy: String(row.created_by),
  };
}
