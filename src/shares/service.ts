import type { PasswordHasher } from "../auth/passwords.ts";
import { roleIncludes, type User } from "../auth/principal.ts";
import type { UserDirectory } from "../auth/user_directory.ts";
import { findBucket } from "../backends/bucket_scope.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import type { Disposition } from "../objects/object_headers.ts";
import { badRequest, conflict, forbidden, notFound, unauthorized } from "../problem.ts";
import type { Database } from "../store/database.ts";
import {
  countOpenShares,
  removeSharesEndedBefore,
  trimEndedShares,
} from "../store/share_bounds_repository.ts";
import {
  countDownload,
  countShares,
  countUpload,
  findShare,
  findShareByCode,
  insertShare,
  listShareKeys,
  listShares,
  revokeShares,
  type ShareFilter,
  updateShare,
} from "../store/shares_repository.ts";
import { isCode, newCode } from "./code.ts";
import { type Share, type ShareKind, type ShareState, shareState, type UploadTerms } from "./share.ts";
import { requireTarget } from "./target.ts";

/** A share to be made. Times are milliseconds since the epoch. */
export interface ShareRequest {
  readonly kind: ShareKind;
  readonly backendId: string;
  readonly bucket: string;
  /** The object's key, or the prefix of a folder, which ends in `/`; empty for a selection. */
  readonly key: string;
  /** Keys and prefixes of a selection. */
  readonly keys: readonly string[];
  readonly versionId?: string;
  readonly disposition: Disposition;
  readonly note: string;
  readonly password: string | null;
  readonly maxDownloads: number | null;
  /** `undefined` for as long as such a link lasts unless told. */
  readonly expiresAt?: number | null;
  /** Of the kind `upload` alone. */
  readonly upload: UploadTerms | null;
}

/** Changes of a share; what is `undefined` stays. A `password` of `null` takes it away. */
export type ShareUpdate = Partial<
  & Pick<ShareRequest, "disposition" | "note" | "password" | "maxDownloads" | "expiresAt">
  & UploadTerms
>;

const day = 24 * 3_600_000;

/** How long a link for uploads lasts unless told, and at most, in milliseconds: what may be written to is not forgotten. */
const uploadLifetime = { usual: 7 * day, longest: 90 * day };

/** Clocks of browsers may be so much ahead, in milliseconds: what they take for the longest time must not be too long. */
const clockSlack = 5 * 60_000;

/** How long shares that have ended are told of, in milliseconds, and at most how many of a user. */
const endedFor = 90 * day;
const maxEnded = 1000;
const sweepInterval = 3_600_000;

/** Keys and prefixes that one user's selections may have together: each may take 1 KiB. */
const maxSelectedKeys = 20_000;

/** What {@link ShareService} works with. */
export interface ShareServiceDeps {
  readonly database: Database;
  readonly registry: BackendRegistry;
  readonly users: UserDirectory;
  readonly hasher: PasswordHasher;
  /** `shares.max_per_user`: how many a user may have that have not ended; 0 for any number. */
  readonly maxPerUser: number;
  /** `shares.max_lifetime`: how long a share may last from when it was made, in milliseconds; 0 for ever. */
  readonly maxLifetime: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Makes, changes and revokes shares. Every change is in force at the recipients' very next request. */
export class ShareService {
  readonly #deps: ShareServiceDeps;
  #sweptAt = -Infinity;

  constructor(deps: ShareServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Shares what is there, or lets files be sent to a bucket that is. Throws 400 `bad_request`, `invalid_key` or
   * `invalid_bucket_name`, 404 `not_found`, 409 `too_many_shares`, and what the backend refuses with.
   */
  async create(creator: User, request: ShareRequest, signal: AbortSignal): Promise<Share> {
    const { database, registry, hasher, clock } = this.#deps;
    const { kind, password, versionId = null, keys: _, ...fields } = request;
    const longest = this.longestLife(kind);
    const usual = kind === "upload" ? Math.min(uploadLifetime.usual, longest) : longest;
    const expiresAt = request.expiresAt !== undefined
      ? request.expiresAt
      : usual === Infinity
      ? null
      : clock() + usual;
    this.#checkExpiry(kind, expiresAt, clock());
    this.#requireRoom(creator.id, request.keys.length);
    const target = await requireTarget(registry, request, signal);
    const passwordHash = password === null ? null : await hasher.hash(password);
    this.#requireStillAllowed(creator.id, request);
    this.#requireRoom(creator.id, target.keys.length);
    trimEndedShares(database, creator.id, maxEnded, clock());
    return insertShare(database, {
      ...fields,
      ...target,
      kind,
      versionId,
      passwordHash,
      expiresAt,
      code: newCode(),
      createdBy: creator.id,
      createdAt: clock(),
    });
  }

  /** How many shares a user has that count, and how many they may have; 0 for any number. */
  roomOf(userId: string): { readonly open: number; readonly max: number } {
    const { database, clock, maxPerUser } = this.#deps;
    return { open: countOpenShares(database, userId, clock()).shares, max: maxPerUser };
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

  /**
   * Changes a share. Throws 400 `bad_request`, 403, 404, 409 `conflict` when it is revoked and `too_many_shares` when it would
   * be in force again beside as many as its creator may have.
   */
  async update(id: number, viewer: User, changes: ShareUpdate): Promise<Share> {
    const { database, hasher } = this.#deps;
    const { kind, createdAt } = this.#requireNotRevoked(this.get(id, viewer));
    this.#checkExpiry(kind, changes.expiresAt, createdAt);
    const { password, ...fields } = changes;
    const passwordHash = password ? await hasher.hash(password) : password;
    // Asked again: it may have been revoked while the password was being hashed.
    const share = this.#requireNotRevoked(this.get(id, viewer));
    const wasOver = share.expiresAt !== null && share.expiresAt <= this.#deps.clock();
    if (wasOver && changes.expiresAt !== undefined) this.#requireRoom(share.createdBy, 0);
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
    return shareState(share, this.#creatorMay(share), this.#deps.clock());
  }

  /** What is selected, for a share of the kind `selection`: keys, and prefixes, which end in `/`. */
  keysOf({ id }: Share): string[] {
    return listShareKeys(this.#deps.database, id);
  }

  /** Counts a file of `bytes` that was sent by a share. */
  countUpload({ id }: Share, bytes: number): void {
    countUpload(this.#deps.database, id, bytes, this.#deps.clock());
  }

  /** Counts a download of a share if its cap, its expiry and its creator allow one more; returns whether they do. */
  countDownload(share: Share): boolean {
    const { database, clock } = this.#deps;
    return this.#creatorMay(share) && countDownload(database, share.id, clock());
  }

  /** Forgets, once an hour however often it is called, the shares that ended long ago; their links then lead nowhere. */
  sweep(): void {
    const { database, clock } = this.#deps;
    const now = clock();
    if (now < this.#sweptAt + sweepInterval) return;
    this.#sweptAt = now;
    removeSharesEndedBefore(database, now - endedFor);
  }

  /** Throws 409 `too_many_shares` unless a user may have one more share that selects so many keys. */
  #requireRoom(userId: string, keys: number): void {
    const { database, clock, maxPerUser } = this.#deps;
    const open = countOpenShares(database, userId, clock());
    if (maxPerUser > 0 && open.shares >= maxPerUser) {
      throw conflict(
        `More than ${maxPerUser} links that have not ended are too many: revoke those that nobody needs.`,
        "too_many_shares",
        { max_shares: maxPerUser },
      );
    }
    if (keys > 0 && open.keys + keys > maxSelectedKeys) {
      throw conflict(
        `More than ${maxSelectedKeys} items in selections are too many: revoke some of them, or share folders.`,
        "too_many_shares",
        { max_keys: maxSelectedKeys },
      );
    }
  }

  /** Asked again: while the storage answered, the backend may have been removed, or its user have lost the right. */
  #requireStillAllowed(creatorId: string, { backendId, bucket }: ShareRequest): void {
    const creator = this.#deps.users.find(creatorId);
    if (creator === null || !creator.enabled) throw unauthorized();
    if (!roleIncludes(creator.role, "user")) throw forbidden();
    findBucket(this.#deps.registry, backendId, bucket);
  }

  /** Whoever may no longer write lets nobody else do so; what may be read goes by the account alone. */
  #creatorMay({ kind, createdBy }: Share): boolean {
    const creator = this.#deps.users.find(createdBy);
    return creator?.enabled === true && (kind !== "upload" || roleIncludes(creator.role, "user"));
  }

  #requireNotRevoked(share: Share): Share {
    if (share.revokedAt !== null) throw conflict("This share is revoked: make a new one.");
    return share;
  }

  /** However often it is prolonged, a share lasts no longer than one that was made at `createdAt` may. */
  #checkExpiry(kind: ShareKind, expiresAt: number | null | undefined, createdAt: number): void {
    if (expiresAt === undefined) return;
    const end = expiresAt ?? Infinity;
    const field = "expires_at";
    if (end <= this.#deps.clock()) throw badRequest("expires_at: must be in the future", { field });
    const longest = this.longestLife(kind);
    if (end - createdAt <= longest + clockSlack) return;
    const seconds = Math.floor(longest / 1000);
    throw badRequest(`expires_at: such a link ends within ${seconds} seconds of when it was made`, { field });
  }

  /** How long a share of a kind may last from when it was made, in milliseconds; `Infinity` for ever. */
  longestLife(kind: ShareKind): number {
    const longest = this.#deps.maxLifetime || Infinity;
    return kind === "upload" ? Math.min(uploadLifetime.longest, longest) : longest;
  }
}
