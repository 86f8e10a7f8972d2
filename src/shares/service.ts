import type { PasswordHasher } from "../auth/passwords.ts";
import { roleIncludes, type User } from "../auth/principal.ts";
import type { UserDirectory } from "../auth/user_directory.ts";
import { findBucket } from "../backends/bucket_scope.ts";
import { requireKey } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { listObjects } from "../objects/listing.ts";
import type { Disposition } from "../objects/object_headers.ts";
import { badRequest, conflict, forbidden, notFound, unauthorized } from "../problem.ts";
import type { Database } from "../store/database.ts";
import {
  countDownload,
  countShares,
  findShare,
  findShareByCode,
  insertShare,
  listShares,
  revokeShares,
  type ShareFilter,
  updateShare,
} from "../store/shares_repository.ts";
import { isCode, newCode } from "./code.ts";
import { type Share, type ShareState, shareState } from "./share.ts";

/** A share to be made. Times are milliseconds since the epoch. */
export interface ShareRequest {
  readonly backendId: string;
  readonly bucket: string;
  /** The object's key, or the prefix of a folder, which ends in `/`. */
  readonly key: string;
  readonly versionId?: string;
  readonly disposition: Disposition;
  readonly note: string;
  readonly password: string | null;
  readonly maxDownloads: number | null;
  readonly expiresAt: number | null;
}

/** Changes of a share; what is `undefined` stays. A `password` of `null` takes it away. */
export type ShareUpdate = Partial<
  Pick<ShareRequest, "disposition" | "note" | "password" | "maxDownloads" | "expiresAt">
>;

/** What {@link ShareService} works with. */
export interface ShareServiceDeps {
  readonly database: Database;
  readonly registry: BackendRegistry;
  readonly users: UserDirectory;
  readonly hasher: PasswordHasher;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Makes, changes and revokes shares. Every change is in force at the recipients' very next request. */
export class ShareService {
  readonly #deps: ShareServiceDeps;

  constructor(deps: ShareServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Shares an object or a folder that is there. Throws 400 `bad_request`, `invalid_key` or `invalid_bucket_name`, 404
   * `not_found`, and what the backend refuses with.
   */
  async create(creator: User, request: ShareRequest, signal: AbortSignal): Promise<Share> {
    const { database, hasher, clock } = this.#deps;
    this.#checkExpiry(request.expiresAt);
    await this.#requireTarget(request, signal);
    const { password, versionId = null, ...fields } = request;
    const passwordHash = password === null ? null : await hasher.hash(password);
    this.#requireStillAllowed(creator.id, request);
    return insertShare(database, {
      ...fields,
      versionId,
      passwordHash,
      code: newCode(),
      createdBy: creator.id,
      createdAt: clock(),
    });
  }

  /** Shares that match, newest first: at most `limit`, of those older than the one with id `before`. */
  list(filter: ShareFilter, limit: number, before?: number): Share[] {
    return listShares(this.#deps.database, filter, this.#deps.clock(), limit, before);
  }

  /** How many shares match. */
  count(filter: ShareFilter): number {
    return countShares(this.#deps.database, filter, this.#deps.clock());
  }

  /** How many of those that match work, or would if the account of their creator were not disabled. */
  countUsable(filter: Omit<ShareFilter, "state">): number {
    return this.count({ ...filter, state: "active" }) + this.count({ ...filter, state: "suspended" });
  }

  /** A share as its creator or an administrator may see it. Throws 403 `forbidden`, 404 `not_found`. */
  get(id: number, viewer: User): Share {
    const share = findShare(this.#deps.database, id);
    if (share === null) throw notFound("There is no such share.");
    if (share.createdBy !== viewer.id && !roleIncludes(viewer.role, "admin")) {
      throw forbidden("This share was made by somebody else.");
    }
    return share;
  }

  /** Changes a share. Throws 400 `bad_request`, 403, 404, 409 `conflict` when it is revoked. */
  async update(id: number, viewer: User, changes: ShareUpdate): Promise<Share> {
    const { database, hasher } = this.#deps;
    this.#requireNotRevoked(this.get(id, viewer));
    this.#checkExpiry(changes.expiresAt);
    const { password, ...fields } = changes;
    const passwordHash = password ? await hasher.hash(password) : password;
    // Asked again: it may have been revoked while the password was being hashed.
    this.#requireNotRevoked(this.get(id, viewer));
    updateShare(database, id, { ...fields, passwordHash: passwordHash as string | null | undefined });
    return this.get(id, viewer);
  }

  /** Revokes a share for good; one that is revoked already stays as it is. Throws 403, 404. */
  revoke(id: number, viewer: User): Share {
    const { database, clock } = this.#deps;
    this.get(id, viewer);
    revokeShares(database, { id }, clock());
    return this.get(id, viewer);
  }

  /** Revokes every share that matches: what it points at, or who made it, is about to be gone. Returns how many. */
  revokeAll(filter: ShareFilter): number {
    return revokeShares(this.#deps.database, filter, this.#deps.clock());
  }

  /** The share with this code as a stranger gives it, or `null`. */
  find(code: string): Share | null {
    return isCode(code) ? findShareByCode(this.#deps.database, code) : null;
  }

  /** What a share is good for now. */
  stateOf(share: Share): ShareState {
    const { users, clock } = this.#deps;
    return shareState(share, users.find(share.createdBy)?.enabled === true, clock());
  }

  /** Counts a download of a share if its cap, its expiry and its creator allow one more; returns whether they do. */
  countDownload(share: Share): boolean {
    const { database, users, clock } = this.#deps;
    return users.find(share.createdBy)?.enabled === true && countDownload(database, share.id, clock());
  }

  /** Asked again: while the storage answered, the backend may have been removed, or its user have lost the right. */
  #requireStillAllowed(creatorId: string, { backendId, bucket }: ShareRequest): void {
    const creator = this.#deps.users.find(creatorId);
    if (creator === null || !creator.enabled) throw unauthorized();
    if (!roleIncludes(creator.role, "user")) throw forbidden();
    findBucket(this.#deps.registry, backendId, bucket);
  }

  #requireNotRevoked({ revokedAt }: Share): void {
    if (revokedAt !== null) throw conflict("This share is revoked: make a new one.");
  }

  #checkExpiry(expiresAt: number | null | undefined): void {
    if (expiresAt === null || expiresAt === undefined || expiresAt > this.#deps.clock()) return;
    throw badRequest("expires_at: must be in the future", { field: "expires_at" });
  }

  /** Throws unless what is to be shared is there. */
  async #requireTarget(request: ShareRequest, signal: AbortSignal): Promise<void> {
    const { backendId, bucket, key, versionId } = request;
    const scope = findBucket(this.#deps.registry, backendId, bucket);
    requireKey(key);
    if (!key.endsWith("/")) {
      await scope.connection.send({ method: "HEAD", bucket, key, query: { versionId }, signal });
      return;
    }
    if (versionId !== undefined) throw badRequest("version_id: a folder has none", { field: "version_id" });
    const found = await listObjects(scope, { prefix: key, delimiter: "", maxKeys: 1 }, signal);
    if (found.objects.length === 0) throw notFound("There is no such folder.");
  }
}
