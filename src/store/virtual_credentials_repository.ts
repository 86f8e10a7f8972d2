import type { Database, Row } from "./database.ts";

/** A credential of the S3 endpoint, without its secret. Times are milliseconds since the epoch. */
export interface CredentialRecord {
  readonly accessKeyId: string;
  readonly backendId: string;
  /** Names without duplicates. */
  readonly buckets: readonly string[];
  /** Keys in scope begin with this; empty for every key. */
  readonly prefix: string;
  readonly readOnly: boolean;
  readonly description: string;
  readonly enabled: boolean;
  /** `null` for never. */
  readonly expiresAt: number | null;
  /** Whom it belongs to; `null` for nobody. */
  readonly userId: string | null;
  readonly createdAt: number;
  /** Id of the user who made it. */
  readonly createdBy: string;
  readonly updatedAt: number;
  /** When it last got another secret; `null` for never. */
  readonly rotatedAt: number | null;
}

/** A credential as it is stored: its secret is sealed for `virtual_credentials/<access key id>`. */
export interface StoredCredential {
  readonly record: CredentialRecord;
  readonly secretSealed: Uint8Array;
}

/** Every stored credential, oldest first. */
export function listStoredCredentials(database: Database): StoredCredential[] {
  return database.all("SELECT * FROM virtual_credentials ORDER BY created_at, access_key_id").map((row) => ({
    record: toRecord(row),
    secretSealed: row.secret_sealed as Uint8Array,
  }));
}

/** Adds a credential. Throws the database's constraint error when the id is taken or the user does not exist. */
export function insertStoredCredential(database: Database, { record, secretSealed }: StoredCredential): void {
  database.run(
    `INSERT INTO virtual_credentials (buckets, prefix, read_only, description, enabled, expires_at, updated_at, rotated_at,
                                      access_key_id, secret_sealed, backend_id, user_id, created_at, created_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...changeable(record),
    record.accessKeyId,
    secretSealed,
    record.backendId,
    record.userId,
    record.createdAt,
    record.createdBy,
  );
}

/** Replaces what can be changed about a credential, and its secret when `secretSealed` is given. */
export function updateStoredCredential(
  database: Database,
  record: CredentialRecord,
  secretSealed: Uint8Array | null = null,
): void {
  database.run(
    `UPDATE virtual_credentials SET buckets = ?, prefix = ?, read_only = ?, description = ?, enabled = ?, expires_at = ?,
                                    updated_at = ?, rotated_at = ?, secret_sealed = coalesce(?, secret_sealed)
     WHERE access_key_id = ?`,
    ...changeable(record),
    secretSealed,
    record.accessKeyId,
  );
}

/** Removes a credential. */
export function deleteStoredCredential(database: Database, accessKeyId: string): void {
  database.run("DELETE FROM virtual_credentials WHERE access_key_id = ?", accessKeyId);
}

function changeable(record: CredentialRecord) {
  return [
    JSON.stringify(record.buckets),
    record.prefix,
    Number(record.readOnly),
    record.description,
    Number(record.enabled),
    record.expiresAt,
    record.updatedAt,
    record.rotatedAt,
  ] as const;
}

function toRecord(row: Row): CredentialRecord {
  return {
    accessKeyId: String(row.access_key_id),
    backendId: String(row.backend_id),
    buckets: JSON.parse(String(row.buckets)),
    prefix: String(row.prefix),
    readOnly: row.read_only === 1,
    description: String(row.description),
    enabled: row.enabled === 1,
    expiresAt: row.expires_at === null ? null : Number(row.expires_at),
    userId: row.user_id === null ? null : String(row.user_id),
    createdAt: Number(row.created_at),
    createdBy: String(row.created_by),
    updatedAt: Number(row.updated_at),
    rotatedAt: row.rotated_at === null ? null : Number(row.rotated_at),
  };
}
