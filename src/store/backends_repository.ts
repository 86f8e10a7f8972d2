import type { Database, Row } from "./database.ts";

/** A backend that was registered in the dashboard. Times are milliseconds since the epoch. */
export interface StoredBackend {
  readonly id: string;
  readonly name: string;
  readonly endpoint: string;
  readonly region: string;
  readonly pathStyle: boolean;
  readonly presign: boolean;
  readonly enabled: boolean;
  /** Empty for a backend whose requests are not signed. */
  readonly accessKey: string;
  /** Sealed for `backends/<id>`; `null` without an access key. */
  readonly secretKeySealed: Uint8Array | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Every stored backend, by id. */
export function listStoredBackends(database: Database): StoredBackend[] {
  return database.all("SELECT * FROM backends ORDER BY id").map(toBackend);
}

/** Adds a backend. Throws the database's constraint error when the id is taken. */
export function insertStoredBackend(database: Database, backend: StoredBackend): void {
  database.run(
    `INSERT INTO backends (name, type, endpoint, region, path_style, presign, enabled, access_key, secret_key_sealed,
                           updated_at, id, created_at)
     VALUES (?, 's3v4', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...changeable(backend),
    backend.id,
    backend.createdAt,
  );
}

/** Replaces everything about a backend but its id and the time it was created. */
export function updateStoredBackend(database: Database, backend: StoredBackend): void {
  database.run(
    `UPDATE backends SET name = ?, endpoint = ?, region = ?, path_style = ?, presign = ?, enabled = ?, access_key = ?,
                         secret_key_sealed = ?, updated_at = ?
     WHERE id = ?`,
    ...changeable(backend),
    backend.id,
  );
}

/** Removes a backend and what is kept about its buckets. */
export function deleteStoredBackend(database: Database, id: string): void {
  database.transaction(() => {
    database.run("DELETE FROM bucket_settings WHERE backend_id = ?", id);
    database.run("DELETE FROM proxy_cors WHERE backend_id = ?", id);
    database.run("DELETE FROM multipart_uploads WHERE backend_id = ?", id);
    database.run("DELETE FROM own_uploads WHERE backend_id = ?", id);
    database.run("DELETE FROM pins WHERE backend_id = ?", id);
    database.run("DELETE FROM recent_buckets WHERE backend_id = ?", id);
    database.run("DELETE FROM backends WHERE id = ?", id);
  });
}

function changeable(backend: StoredBackend) {
  return [
    backend.name,
    backend.endpoint,
    backend.region,
    Number(backend.pathStyle),
    Number(backend.presign),
    Number(backend.enabled),
    backend.accessKey,
    backend.secretKeySealed,
    backend.updatedAt,
  ] as const;
}

function toBackend(row: Row): StoredBackend {
  return {
    id: String(row.id),
    name: String(row.name),
    endpoint: String(row.endpoint),
    region: String(row.region),
    pathStyle: row.path_style === 1,
    presign: row.presign === 1,
    enabled: row.enabled === 1,
    accessKey: String(row.access_key),
    secretKeySealed: row.secret_key_sealed instanceof Uint8Array ? row.secret_key_sealed : null,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}
