import type { StoredUser } from "../../store/users_repository.ts";
import type { UserDirectory } from "../../auth/user_directory.ts";
import { errorMessage } from "../../error_message.ts";
import type { Logger } from "../../logging/logger.ts";
import type { Sealer } from "../../secrets/seal.ts";
import {
  type BindingRecord,
  deleteStoredBinding,
  listStoredBindings,
  upsertStoredBinding,
} from "../../store/anonymous_bindings_repository.ts";
import type { Database } from "../../store/database.ts";
import {
  type CredentialRecord,
  deleteStoredCredential,
  insertStoredCredential,
  listStoredCredentials,
  updateStoredCredential,
} from "../../store/virtual_credentials_repository.ts";
import type { AnonymousBinding, CredentialSource, VirtualCredential } from "./source.ts";

/** What {@link SqliteCredentials} works with. */
export interface SqliteCredentialsDeps {
  readonly database: Database;
  readonly users: UserDirectory;
  /** `null` without a root key: no stored secret can then be opened. */
  readonly sealer: Sealer | null;
  readonly logger: Logger;
}

/** A credential that can be used, as it stood when its owner was last looked at. */
interface Entry {
  readonly record: CredentialRecord;
  readonly secretKey: string;
  owner: StoredUser | null;
  credential: VirtualCredential;
}

/**
 * Credentials and anonymous bindings that were made in the dashboard. They are kept in memory; a change is stored and then
 * counts for the very next request, and so does a change of the owner: a credential never allows more than its owner's
 * role, is disabled with its owner, and is removed with its owner.
 */
export class SqliteCredentials implements CredentialSource {
  readonly #deps: SqliteCredentialsDeps;
  /** Everything that is stored. */
  readonly #records = new Map<string, CredentialRecord>();
  /** Those of {@link #records} whose secret can be opened. */
  readonly #entries = new Map<string, Entry>();
  readonly #bindings = new Map<string, BindingRecord>();
  /** By bucket, those of {@link #bindings} that allow anything. */
  readonly #openBuckets = new Map<string, AnonymousBinding>();

  constructor(deps: SqliteCredentialsDeps) {
    this.#deps = deps;
    for (const { record, secretSealed } of listStoredCredentials(deps.database)) {
      const secretKey = this.#open(record.accessKeyId, secretSealed);
      if (secretKey === undefined) this.#records.set(record.accessKeyId, record);
      else this.#put(record, secretKey);
    }
    for (const binding of listStoredBindings(deps.database)) this.#putBinding(binding);
    deps.users.addBelongings("s3_credentials", {
      count: (userId) => this.records().filter((record) => record.userId === userId).length,
      remove: (userId) => this.#forgetOwner(userId),
    });
  }

  find(accessKeyId: string): VirtualCredential | undefined {
    const entry = this.#entries.get(accessKeyId);
    return entry && this.#current(entry);
  }

  findBinding(bucket: string): AnonymousBinding | undefined {
    return this.#openBuckets.get(bucket);
  }

  *credentials(): Iterable<VirtualCredential> {
    for (const entry of this.#entries.values()) yield this.#current(entry);
  }

  bindings(): Iterable<AnonymousBinding> {
    return this.#openBuckets.values();
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Every credential that is stored, oldest first, also those whose secret cannot be opened. */
  records(): CredentialRecord[] {
    return [...this.#records.values()];
  }

  /** One stored credential. */
  findRecord(accessKeyId: string): CredentialRecord | undefined {
    return this.#records.get(accessKeyId);
  }

  /** Whether there is a root key to seal new secrets with. */
  get canSeal(): boolean {
    return this.#deps.sealer !== null;
  }

  /** Stores a new credential. Throws when there is no root key or the user does not exist. */
  insert(record: CredentialRecord, secretKey: string): void {
    insertStoredCredential(this.#deps.database, {
      record,
      secretSealed: this.#seal(record.accessKeyId, secretKey),
    });
    this.#put(record, secretKey);
  }

  /** Stores changes of a credential that keeps its secret. */
  update(record: CredentialRecord): void {
    updateStoredCredential(this.#deps.database, record);
    const entry = this.#entries.get(record.accessKeyId);
    if (entry === undefined) this.#records.set(record.accessKeyId, record);
    else this.#put(record, entry.secretKey);
  }

  /** Stores a credential's new secret; the old one is void. Throws when there is no root key. */
  replaceSecret(record: CredentialRecord, secretKey: string): void {
    updateStoredCredential(this.#deps.database, record, this.#seal(record.accessKeyId, secretKey));
    this.#put(record, secretKey);
  }

  /** Removes a credential. */
  remove(accessKeyId: string): void {
    deleteStoredCredential(this.#deps.database, accessKeyId);
    this.#forget(accessKeyId);
  }

  /** Every stored binding, also those that allow nothing. */
  bindingRecords(): BindingRecord[] {
    return [...this.#bindings.values()];
  }

  /** Adds a binding or replaces the one of the same backend and bucket. */
  upsertBinding(binding: BindingRecord): void {
    upsertStoredBinding(this.#deps.database, binding);
    this.#putBinding(binding);
  }

  /** Removes a binding and tells whether there was one. */
  removeBinding(backendId: string, bucket: string): boolean {
    deleteStoredBinding(this.#deps.database, backendId, bucket);
    if (this.#openBuckets.get(bucket)?.backend === backendId) this.#openBuckets.delete(bucket);
    return this.#bindings.delete(bindingId(backendId, bucket));
  }

  /** The credential as its owner is now; the same object as before unless the owner has changed. */
  #current(entry: Entry): VirtualCredential {
    const { userId } = entry.record;
    if (userId === null) return entry.credential;
    const owner = this.#deps.users.find(userId);
    if (owner !== entry.owner) {
      entry.owner = owner;
      entry.credential = toCredential(entry.record, entry.secretKey, owner);
    }
    return entry.credential;
  }

  #put(record: CredentialRecord, secretKey: string): void {
    const owner = record.userId === null ? null : this.#deps.users.find(record.userId);
    const credential = toCredential(record, secretKey, owner);
    this.#records.set(record.accessKeyId, record);
    this.#entries.set(record.accessKeyId, { record, secretKey, owner, credential });
  }

  #forget(accessKeyId: string): void {
    this.#records.delete(accessKeyId);
    this.#entries.delete(accessKeyId);
  }

  /** The rows went with the user, by the foreign key. */
  #forgetOwner(userId: string): void {
    for (const record of this.records()) {
      if (record.userId === userId) this.#forget(record.accessKeyId);
    }
  }

  #putBinding(record: BindingRecord): void {
    const { backendId, bucket, mode, perSourceIpRps } = record;
    this.#bindings.set(bindingId(backendId, bucket), record);
    if (mode === "ReadOnly") {
      this.#openBuckets.set(bucket, { backend: backendId, bucket, perSourceIpRps, source: "sqlite" });
    } else if (this.#openBuckets.get(bucket)?.backend === backendId) {
      this.#openBuckets.delete(bucket);
    }
  }

  #seal(accessKeyId: string, secretKey: string): Uint8Array {
    if (this.#deps.sealer === null) throw new TypeError("there is no root key to seal a secret with");
    return this.#deps.sealer.seal(secretKey, sealPlace(accessKeyId));
  }

  #open(accessKeyId: string, sealed: Uint8Array): string | undefined {
    const { sealer, logger } = this.#deps;
    try {
      if (sealer === null) throw new TypeError("there is no root key");
      return sealer.open(sealed, sealPlace(accessKeyId));
    } catch (error) {
      logger.warn("the secret of an S3 credential cannot be opened: rotate it or set its root key again", {
        access_key_id: accessKeyId,
        reason: errorMessage(error),
      });
    }
  }
}

/** The associated data that ties a sealed secret to its row. */
function sealPlace(accessKeyId: string): string {
  return `virtual_credentials/${accessKeyId}`;
}

/** Neither backend ids nor names of buckets hold a slash. */
function bindingId(backendId: string, bucket: string): string {
  return `${backendId}/${bucket}`;
}

function toCredential(
  record: CredentialRecord,
  secretKey: string,
  owner: StoredUser | null,
): VirtualCredential {
  return {
    accessKeyId: record.accessKeyId,
    secretKey,
    buckets: new Map(record.buckets.map((bucket) => [bucket, record.backendId])),
    prefix: record.prefix,
    readOnly: record.readOnly || owner?.role === "readonly",
    enabled: record.enabled && (record.userId === null || owner?.enabled === true),
    expiresAt: record.expiresAt ?? undefined,
    userId: record.userId ?? "",
    createdAt: record.createdAt,
    source: "sqlite",
  };
}
