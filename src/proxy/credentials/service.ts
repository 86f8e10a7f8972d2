import type { UserDirectory } from "../../auth/user_directory.ts";
import { hasDotSegment, requirePrefix } from "../../backends/names.ts";
import type { BackendRegistry } from "../../backends/registry.ts";
import { badRequest, conflict, notFound, Problem } from "../../problem.ts";
import type { CredentialRecord } from "../../store/virtual_credentials_repository.ts";
import { newAccessKeyId, newSecretKey } from "./key_pair.ts";
import { requireBucketNames, requireBuckets } from "./known_buckets.ts";
import type { CredentialSource } from "./source.ts";
import type { SqliteCredentials } from "./sqlite.ts";

/** What can be said about a credential when it is made, and changed later. Times are milliseconds since the epoch. */
export type CredentialChanges = Partial<
  Pick<CredentialRecord, "buckets" | "prefix" | "readOnly" | "description" | "enabled" | "expiresAt">
>;

/** A credential to be made. */
export interface NewCredential extends CredentialChanges {
  readonly backendId: string;
  readonly buckets: readonly string[];
  /** Whom it will belong to; `null` for nobody. */
  readonly userId: string | null;
}

/** A credential with its secret, which is told this once. */
export interface MintedCredential {
  readonly record: CredentialRecord;
  readonly secretKey: string;
}

/** What {@link CredentialService} works with. */
export interface CredentialServiceDeps {
  readonly stored: SqliteCredentials;
  /** Those of every source: an id is never used twice. */
  readonly all: CredentialSource;
  readonly users: UserDirectory;
  readonly registry: BackendRegistry;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Most credentials that one user may have. */
const maxPerUser = 100;

/**
 * Makes, changes and removes the credentials of the dashboard; each change counts for the very next request of the S3
 * endpoint. Methods with an `ownerId` see only that user's credentials.
 */
export class CredentialService {
  readonly #deps: CredentialServiceDeps;

  constructor(deps: CredentialServiceDeps) {
    this.#deps = deps;
  }

  /** Credentials, oldest first. */
  list(ownerId?: string): CredentialRecord[] {
    const records = this.#deps.stored.records();
    return ownerId === undefined ? records : records.filter(({ userId }) => userId === ownerId);
  }

  /** One credential. Throws 404 `not_found`. */
  get(accessKeyId: string, ownerId?: string): CredentialRecord {
    const record = this.#deps.stored.findRecord(accessKeyId);
    if (record === undefined || (ownerId !== undefined && record.userId !== ownerId)) {
      throw notFound("There is no such credential.");
    }
    return record;
  }

  /**
   * Makes a credential on behalf of user `createdBy`. Throws 400 `bad_request`, `invalid_bucket_name` or `invalid_prefix`,
   * 409 `conflict` for a user who has too many, 503 `secret_key_unset`, or the problem of a backend that cannot be asked for
   * its buckets.
   */
  async create(createdBy: string, input: NewCredential, signal: AbortSignal): Promise<MintedCredential> {
    const { stored, registry, clock } = this.#deps;
    const { backendId, userId } = input;
    this.#requireRootKey();
    this.#checkOwner(userId, input.readOnly);
    this.#checkChanges(input);
    const buckets = [...new Set(input.buckets)];
    await requireBuckets(registry, backendId, buckets, { field: "buckets", signal });
    // Asked again: the user may have been removed, or made another credential, while the backend was asked.
    const mustBeReadOnly = this.#checkOwner(userId, input.readOnly);
    this.#checkCount(userId);
    const now = clock();
    const record: CredentialRecord = {
      accessKeyId: this.#freeAccessKeyId(),
      backendId,
      buckets,
      prefix: input.prefix ?? "",
      readOnly: mustBeReadOnly || (input.readOnly ?? false),
      description: input.description ?? "",
      enabled: input.enabled ?? true,
      expiresAt: input.expiresAt ?? null,
      userId,
      createdAt: now,
      createdBy,
      updatedAt: now,
      rotatedAt: null,
    };
    const secretKey = newSecretKey();
    stored.insert(record, secretKey);
    return { record, secretKey };
  }

  /** Changes a credential; what `changes` leaves out stays. Throws 404 and what {@link create} throws. */
  async update(
    accessKeyId: string,
    changes: CredentialChanges,
    { ownerId, signal }: { ownerId?: string; signal: AbortSignal },
  ): Promise<CredentialRecord> {
    const { stored, registry, clock } = this.#deps;
    const before = this.get(accessKeyId, ownerId);
    this.#checkOwner(before.userId, changes.readOnly);
    this.#checkChanges(changes);
    const buckets = changes.buckets === undefined ? undefined : [...new Set(changes.buckets)];
    const added = buckets?.filter((bucket) => !before.buckets.includes(bucket)) ?? [];
    if (added.length > 0) {
      await requireBuckets(registry, before.backendId, added, { field: "buckets", signal });
    }
    // Asked again: it may have been changed or removed while the backend was asked.
    const current = this.get(accessKeyId, ownerId);
    const record = {
      ...current,
      ...changes,
      buckets: buckets ?? current.buckets,
      updatedAt: clock(),
    };
    stored.update(record);
    return record;
  }

  /** Gives a credential a new secret; the old one is void at once. Throws 404, 503 `secret_key_unset`. */
  rotate(accessKeyId: string, ownerId?: string): MintedCredential {
    const { stored, clock } = this.#deps;
    const current = this.get(accessKeyId, ownerId);
    this.#requireRootKey();
    const now = clock();
    const record = { ...current, updatedAt: now, rotatedAt: now };
    const secretKey = newSecretKey();
    stored.replaceSecret(record, secretKey);
    return { record, secretKey };
  }

  /** Removes a credential. Throws 404. */
  remove(accessKeyId: string, ownerId?: string): CredentialRecord {
    const record = this.get(accessKeyId, ownerId);
    this.#deps.stored.remove(accessKeyId);
    return record;
  }

  #requireRootKey(): void {
    if (this.#deps.stored.canSeal) return;
    throw new Problem(
      503,
      "secret_key_unset",
      "Set SERVICE_SECRET_KEY or server.secret_key_file: without a root key no S3 credentials can be stored.",
    );
  }

  /** Whether the owner's role allows nothing but reading. Throws 400 for an owner that does not exist. */
  #checkOwner(userId: string | null, readOnly: boolean | undefined): boolean {
    if (userId === null) return false;
    const owner = this.#deps.users.find(userId);
    if (owner === null) throw badRequest("user_id: there is no such user", { field: "user_id" });
    if (owner.role !== "readonly") return false;
    if (readOnly === false) {
      const message = `read_only: must be true, since the role of ${owner.username} is readonly`;
      throw badRequest(message, { field: "read_only" });
    }
    return true;
  }

  #checkChanges({ buckets, prefix, expiresAt }: CredentialChanges): void {
    if (buckets !== undefined) requireBucketNames(buckets, "buckets");
    if (prefix !== undefined) requireScopePrefix(prefix);
    if (typeof expiresAt === "number" && expiresAt <= this.#deps.clock()) {
      throw badRequest("expires_at: must lie in the future", { field: "expires_at" });
    }
  }

  #checkCount(userId: string | null): void {
    if (userId === null || this.list(userId).length < maxPerUser) return;
    throw conflict(`A user can have no more than ${maxPerUser} credentials: delete one first.`);
  }

  #freeAccessKeyId(): string {
    const { stored, all } = this.#deps;
    for (;;) {
      const id = newAccessKeyId();
      if (stored.findRecord(id) === undefined && all.find(id) === undefined) return id;
    }
  }
}

/** Checks the prefix that keys in scope begin with. Throws 400 `invalid_prefix`. */
function requireScopePrefix(prefix: string): void {
  requirePrefix(prefix);
  if (!hasDotSegment(prefix)) return;
  throw new Problem(400, "invalid_prefix", 'A prefix of a credential must not have a segment "." or "..".');
}
