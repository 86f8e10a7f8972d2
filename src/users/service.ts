import { randomBytes, randomUUID } from "node:crypto";
import type { Lockout } from "../auth/lockout.ts";
import { passwordFault, type PasswordPolicy } from "../auth/password_policy.ts";
import type { PasswordHasher } from "../auth/passwords.ts";
import type { IdentitySource, Role, User } from "../auth/principal.ts";
import type { SessionService } from "../auth/sessions.ts";
import type { BelongingCounts, UserDirectory } from "../auth/user_directory.ts";
import { conflict, forbidden, notFound, Problem, tooMany } from "../problem.ts";
import type { Database } from "../store/database.ts";
import type { OpenSessions, StoredSession } from "../store/sessions_repository.ts";
import {
  countEnabledAdmins,
  deleteUser,
  findUserByEmail,
  findUserByName,
  insertUser,
  listUsers,
  type StoredUser,
  type UserFilter,
} from "../store/users_repository.ts";

/** A local account to be made. */
export interface NewUser {
  readonly username: string;
  readonly email?: string | null;
  /** Whether an administrator gave the address; `true` when absent. */
  readonly emailVouched?: boolean;
  readonly password: string;
  readonly role: Role;
  readonly enabled?: boolean;
  readonly mustChangePassword?: boolean;
}

/** What belongs to a user: their open sessions, and what they have in other parts of the program. */
export type UserBelongings = BelongingCounts & { readonly sessions: number };

/** What {@link UserService} works with. */
export interface UserServiceDeps {
  readonly database: Database;
  readonly users: UserDirectory;
  readonly sessions: SessionService;
  readonly lockout: Lockout;
  readonly hasher: PasswordHasher;
  readonly policy: PasswordPolicy;
  readonly clock: () => number;
}

/** Makes, changes and removes users. Every change is in force at the next request of the user's open sessions. */
export class UserService {
  readonly #deps: UserServiceDeps;

  constructor(deps: UserServiceDeps) {
    this.#deps = deps;
  }

  /** One page of the users that match, by name, and how many there are in all. */
  list(filter: UserFilter, limit: number, offset: number): { users: User[]; total: number } {
    return listUsers(this.#deps.database, filter, limit, offset);
  }

  /** A user; throws 404 `not_found`. */
  get(id: string): User {
    return this.#stored(id);
  }

  /** When a locked-out user may try to sign in again, in milliseconds since the epoch; `undefined` for one who is not. */
  lockedUntil(user: User): number | undefined {
    const wait = this.#deps.lockout.lockedFor(user.username);
    return wait === 0 ? undefined : this.#deps.clock() + wait;
  }

  /** The open sessions of everyone, by the id of their user. */
  openSessions(): Map<string, OpenSessions> {
    return this.#deps.sessions.openByUser();
  }

  /** How much there is that goes with a user. Throws 404. */
  belongings(id: string): UserBelongings {
    this.#stored(id);
    return { sessions: this.sessions(id).length, ...this.#deps.users.belongings(id) };
  }

  /** A user's open sessions, the most recently used first. Throws 404. */
  sessions(id: string): StoredSession[] {
    this.#stored(id);
    return this.#deps.sessions.list(id);
  }

  /** Ends one session of a user. Throws 404, also for a session of somebody else. */
  endSession(id: string, sessionId: string): User {
    const user = this.#stored(id);
    if (!this.sessions(id).some((session) => session.id === sessionId)) {
      throw notFound("There is no such session.");
    }
    this.#deps.sessions.end(sessionId);
    return user;
  }

  /** Ends every session of a user but `keepId`; tells how many there were. Throws 404. */
  endSessions(id: string, keepId: string): { user: User; ended: number } {
    const user = this.#stored(id);
    const ended = this.sessions(id).filter((session) => session.id !== keepId).length;
    this.#deps.sessions.endAll(id, keepId);
    return { user, ended };
  }

  /** Makes a local account. Throws 400 `weak_password`, 409 `username_taken` or `email_taken`. */
  async create(user: NewUser): Promise<User> {
    const { database, hasher, clock } = this.#deps;
    const email = user.email || null;
    this.#checkPassword(user.password);
    this.#checkFree(user.username, email);
    const passwordHash = await hasher.hash(user.password);
    const stored: StoredUser = {
      id: randomUUID(),
      username: user.username,
      email,
      role: user.role,
      identitySource: "local",
      passwordHash,
      enabled: user.enabled ?? true,
      mustChangePassword: user.mustChangePassword ?? false,
      createdAt: clock(),
      lastLoginAt: null,
      emailVouched: user.emailVouched ?? true,
    };
    database.transaction(() => {
      // Asked again: another request may have taken the name while the password was being hashed.
      this.#checkFree(user.username, email);
      insertUser(database, stored);
    });
    return stored;
  }

  /**
   * Changes a user on behalf of `actor`. Throws 403 `static_user`, `self_role_change` or `forbidden` (disabling
   * oneself), 404, 409 `last_admin` or `email_taken`.
   */
  update(
    actor: User,
    id: string,
    changes: { role?: Role; enabled?: boolean; email?: string | null },
  ): User {
    const { database, users, sessions } = this.#deps;
    const user = this.#stored(id);
    refuseStatic(user);
    const role = changes.role ?? user.role;
    const enabled = changes.enabled ?? user.enabled;
    if (actor.id === id && role !== user.role) {
      throw new Problem(403, "self_role_change", "Nobody can change their own role.");
    }
    if (actor.id === id && !enabled) throw forbidden("Nobody can disable their own account.");
    if (role !== "admin" || !enabled) this.#keepAnAdmin(user);
    const email = changes.email === undefined ? user.email : changes.email || null;
    if (email !== null && (findUserByEmail(database, email)?.id ?? id) !== id) throw emailTaken();
    const emailVouched = changes.email === undefined ? undefined : true;
    users.update(id, { role, enabled, email, emailVouched });
    if (!enabled) sessions.endAll(id);
    return this.get(id);
  }

  /**
   * Removes a user with what belongs to them; tells how much that was. Throws 403 `static_user` or `self_delete`, 404, 409
   * `last_admin`.
   */
  remove(actor: User, id: string): { user: User; removed: UserBelongings } {
    const { database, users, sessions } = this.#deps;
    const user = this.#stored(id);
    refuseStatic(user);
    if (actor.id === id) throw new Problem(403, "self_delete", "Nobody can delete their own account.");
    this.#keepAnAdmin(user);
    const removed = this.belongings(id);
    sessions.endAll(id);
    deleteUser(database, id);
    users.forget(id);
    return { user, removed };
  }

  /**
   * Gives a local account a new password, `password` or a random one, ends its sessions and its lockout. Returns the
   * random password, or `null`. Throws 400 `weak_password` or `not_local`, 403 `static_user`, 404.
   */
  async resetPassword(id: string, password?: string, mustChangePassword = true): Promise<string | null> {
    const { users, sessions, lockout, hasher } = this.#deps;
    const user = this.#stored(id);
    refuseNotLocal(user);
    if (password !== undefined) this.#checkPassword(password);
    const random = password === undefined ? this.#randomPassword() : null;
    const passwordHash = await hasher.hash(password ?? random ?? "");
    // Asked again: meanwhile the account may have become one of the identity provider.
    refuseNotLocal(this.#stored(id));
    users.update(id, { passwordHash, mustChangePassword });
    sessions.endAll(id);
    lockout.clear(user.username);
    return random;
  }

  /** Ends a user's lockout. Throws 404. */
  unlock(id: string): User {
    const user = this.#stored(id);
    this.#deps.lockout.clear(user.username);
    return user;
  }

  /**
   * Changes the password of the user of session `sessionId` and ends their other sessions. Throws 400 `not_local` or
   * `weak_password`, 401 `password_mismatch`, 403 `static_user`, 429 `account_locked`.
   */
  async changePassword(id: string, sessionId: string, current: string, next: string): Promise<void> {
    const { users, sessions, hasher, lockout, policy } = this.#deps;
    const user = this.#stored(id);
    refuseNotLocal(user);
    // Whoever holds a stolen session gets no more guesses at the password than at the sign-in page.
    const retryAfter = lockout.begin(user.username);
    if (retryAfter > 0) {
      throw tooMany(retryAfter / 1000, "Too many wrong passwords. Try again later.", "account_locked");
    }
    if (!await hasher.verify(user.passwordHash, current)) {
      throw passwordMismatch();
    }
    lockout.clear(user.username);
    if (policy.preventReuse && next === current) {
      throw weakPassword("The new password must differ from the current one.");
    }
    this.#checkPassword(next);
    const passwordHash = await hasher.hash(next);
    // A password that an administrator has set meanwhile stays: the one that was checked may have been a thief's.
    if (this.#stored(id).passwordHash !== user.passwordHash) throw passwordMismatch();
    users.update(id, { passwordHash, mustChangePassword: false });
    sessions.endAll(id, sessionId);
  }

  #stored(id: string): StoredUser {
    const user = this.#deps.users.find(id);
    if (user === null) throw notFound("There is no such user.");
    return user;
  }

  #checkPassword(password: string): void {
    const fault = passwordFault(this.#deps.policy, password);
    if (fault !== null) throw weakPassword(fault);
  }

  #checkFree(username: string, email: string | null): void {
    const { database } = this.#deps;
    if (findUserByName(database, username) !== null) {
      throw conflict(`The user name "${username}" is taken.`, "username_taken");
    }
    if (email !== null && findUserByEmail(database, email) !== null) throw emailTaken();
  }

  /** How many administrators are enabled: the last one can be neither disabled nor deleted nor given another role. */
  enabledAdmins(): number {
    return countEnabledAdmins(this.#deps.database);
  }

  /** Throws when `user` is the last enabled administrator. */
  #keepAnAdmin(user: User): void {
    if (user.role !== "admin" || !user.enabled || this.enabledAdmins() > 1) return;
    throw conflict("This is the last enabled administrator.", "last_admin");
  }

  #randomPassword(): string {
    const bytes = Math.max(15, this.#deps.policy.minLength);
    return randomBytes(bytes).toString("base64url");
  }
}

function refuseStatic(user: { identitySource: IdentitySource }): void {
  if (user.identitySource !== "static") return;
  throw new Problem(
    403,
    "static_user",
    "This account is defined in the configuration and can only be changed there.",
  );
}

function refuseNotLocal(user: { identitySource: IdentitySource }): void {
  refuseStatic(user);
  if (user.identitySource === "local") return;
  throw new Problem(400, "not_local", "The password of this account is kept by the identity provider.");
}

function passwordMismatch(): Problem {
  return new Problem(401, "password_mismatch", "The current password is not right.");
}

function weakPassword(message: string): Problem {
  return new Problem(400, "weak_password", message, { detail: { field: "password" } });
}

function emailTaken(): Problem {
  return conflict("The e-mail address is taken.", "email_taken");
}
