import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Database } from "../store/database.ts";
import {
  countSessions,
  deleteEndedSessions,
  deleteSession,
  findSession,
  insertSession,
  listSessions,
  type OpenSessions,
  openSessionsByUser,
  type StoredSession,
  touchSession,
} from "../store/sessions_repository.ts";
import type { Principal, Session, User } from "./principal.ts";
import type { UserDirectory } from "./user_directory.ts";

/** How long sessions last, in milliseconds. */
export interface SessionLimits {
  /** The hard ceiling, whatever the activity. */
  readonly lifetime: number;
  /** The longest time without API activity. */
  readonly idleTimeout: number;
}

/** A session that was just made, with the secret for its cookie. */
export interface NewSession {
  readonly session: Session;
  /** Goes into the cookie and is kept nowhere. */
  readonly token: string;
}

interface CachedSession extends StoredSession {
  readonly csrfToken: string;
  lastSeenAt: number;
  /** The `lastSeenAt` that is on disk. */
  storedSeenAt: number;
}

/** The idle clock on disk may be this far behind the one in memory, at most, in milliseconds. */
const maxSeenLag = 15_000;

/**
 * Server-side sessions. The cookie holds 256 random bits and nothing else; the database knows only their digest. Look-ups
 * come from memory; every way to end a session takes it out of memory in the same call.
 */
export class SessionService {
  readonly #database: Database;
  readonly #users: UserDirectory;
  readonly #limits: SessionLimits;
  readonly #clock: () => number;
  readonly #cache = new Map<string, CachedSession>();

  constructor(database: Database, users: UserDirectory, limits: SessionLimits, clock: () => number) {
    this.#database = database;
    this.#users = users;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Starts a session for `user`. A sign-in always gets a new one, so that no planted cookie becomes valid by it. */
  create(user: User, ip: string, userAgent: string): NewSession {
    const token = randomBytes(32).toString("base64url");
    const now = this.#clock();
    const stored: StoredSession = {
      id: randomBytes(12).toString("hex"),
      userId: user.id,
      ip,
      userAgent: userAgent.slice(0, 512),
      createdAt: now,
      expiresAt: now + this.#limits.lifetime,
      lastSeenAt: now,
    };
    const tokenHash = digest(token);
    insertSession(this.#database, stored, tokenHash);
    const session = { ...stored, csrfToken: csrfTokenOf(token), storedSeenAt: now };
    this.#cache.set(tokenHash.toString("base64url"), session);
    return { session, token };
  }

  /**
   * The user and session behind a cookie's token, or `null` when it is unknown, expired, idled out, or its user may not
   * sign in any more. Counts as activity unless `background`.
   */
  find(token: string, background = false): Principal | null {
    const tokenHash = digest(token);
    const cacheKey = tokenHash.toString("base64url");
    let session = this.#cache.get(cacheKey);
    if (session === undefined) {
      const stored = findSession(this.#database, tokenHash);
      if (stored === null) return null;
      session = { ...stored, csrfToken: csrfTokenOf(token), storedSeenAt: stored.lastSeenAt };
      this.#cache.set(cacheKey, session);
    }
    const now = this.#clock();
    const user = this.#users.find(session.userId);
    if (this.#hasEnded(session, now) || user === null || !user.enabled) {
      this.end(session.id);
      return null;
    }
    if (!background) this.#touch(session, now);
    return { user, session };
  }

  /** When a session ends if nothing more happens in it. */
  idleExpiry(session: Session): number {
    return Math.min(session.expiresAt, session.lastSeenAt + this.#limits.idleTimeout);
  }

  /** A user's sessions that have not ended, the most recently used first. */
  list(userId: string): StoredSession[] {
    this.#storeSeen();
    const now = this.#clock();
    return listSessions(this.#database, userId).filter((session) => !this.#hasEnded(session, now));
  }

  /** How many sessions have not ended. */
  count(): number {
    this.#storeSeen();
    return countSessions(this.#database, this.#clock(), this.#limits.idleTimeout);
  }

  /** The sessions that have not ended, by the id of their user. */
  openByUser(): Map<string, OpenSessions> {
    this.#storeSeen();
    return openSessionsByUser(this.#database, this.#clock(), this.#limits.idleTimeout);
  }

  /** Ends one session. */
  end(id: string): void {
    deleteSession(this.#database, id);
    this.#forget((session) => session.id === id);
  }

  /** Ends every session of a user but `keepId`. */
  endAll(userId: string, keepId?: string): void {
    for (const { id } of listSessions(this.#database, userId)) {
      if (id !== keepId) deleteSession(this.#database, id);
    }
    this.#forget((session) => session.userId === userId && session.id !== keepId);
  }

  /** Removes ended sessions and stores the idle clocks of the others; to be called now and then, and at the end. */
  sweep(): void {
    this.#storeSeen();
    const now = this.#clock();
    deleteEndedSessions(this.#database, now, this.#limits.idleTimeout);
    this.#forget((session) => this.#hasEnded(session, now));
  }

  #hasEnded(session: StoredSession, now: number): boolean {
    return now >= session.expiresAt || now >= session.lastSeenAt + this.#limits.idleTimeout;
  }

  #touch(session: CachedSession, now: number): void {
    session.lastSeenAt = now;
    const lag = Math.min(maxSeenLag, this.#limits.idleTimeout / 10);
    if (now - session.storedSeenAt >= lag) this.#storeSeenOf(session);
  }

  #storeSeen(): void {
    for (const session of this.#cache.values()) this.#storeSeenOf(session);
  }

  #storeSeenOf(session: CachedSession): void {
    if (session.storedSeenAt === session.lastSeenAt) return;
    touchSession(this.#database, session.id, session.lastSeenAt);
    session.storedSeenAt = session.lastSeenAt;
  }

  #forget(matches: (session: StoredSession) => boolean): void {
    for (const [key, session] of this.#cache) if (matches(session)) this.#cache.delete(key);
  }
}

/** Compares two tokens in a time that does not depend on where they differ. */
export function tokensEqual(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(token: string) {
  return createHash("sha256").update(token).digest();
}

/** Bound to the session: a token of another session, or of the one before this sign-in, is not valid. */
function csrfTokenOf(token: string): string {
  return createHmac("sha256", token).update("csrf").digest("base64url");
}
