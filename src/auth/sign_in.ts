import type { Database } from "../store/database.ts";
import { findUserByName } from "../store/users_repository.ts";
import type { Lockout } from "./lockout.ts";
import type { PasswordHasher } from "./passwords.ts";
import type { IdentitySource, User } from "./principal.ts";
import type { NewSession, SessionService } from "./sessions.ts";
import type { StaticAccount } from "./static_account.ts";
import type { UserDirectory } from "./user_directory.ts";

/**
 * Why a name and a password were refused, which administrators may know and whoever tried may not. `mode_disabled` is an
 * account that does not sign in with a password, or not here.
 */
export type SignInRefusal = "unknown_user" | "account_disabled" | "mode_disabled" | "wrong_password";

/** What came of an attempt to sign in with a password. */
export type SignInResult =
  | { readonly outcome: "ok"; readonly user: User; readonly session: NewSession }
  | { readonly outcome: "invalid_credentials"; readonly userId: string; readonly reason: SignInRefusal }
  | { readonly outcome: "locked"; readonly userId: string; readonly retryAfter: number };

/** What {@link PasswordSignIn} works with. */
export interface SignInDeps {
  readonly database: Database;
  readonly users: UserDirectory;
  readonly sessions: SessionService;
  readonly lockout: Lockout;
  readonly hasher: PasswordHasher;
  /** Whether local accounts may sign in. */
  readonly localEnabled: boolean;
  /** The configured account, or `null` when that mode is off. */
  readonly staticAccount: StaticAccount | null;
  readonly clock: () => number;
}

/** Signs in local accounts and the static one. */
export class PasswordSignIn {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /** Whether any account can sign in with a password. */
  get enabled(): boolean {
    return this.#deps.localEnabled || this.#deps.staticAccount !== null;
  }

  /**
   * Checks a user name and password and starts a session. An unknown name, a disabled account, one of a mode that is off
   * and a wrong password give the same result after the same work. `retryAfter` is in milliseconds.
   */
  async signIn(username: string, password: string, ip: string, userAgent: string): Promise<SignInResult> {
    const { database, lockout, hasher, users, sessions, clock } = this.#deps;
    const user = findUserByName(database, username);
    const userId = user?.id ?? "";
    const retryAfter = lockout.begin(username);
    if (retryAfter > 0) return { outcome: "locked", userId, retryAfter };
    const hash = user?.enabled ? this.#hashOf(user.identitySource, user.passwordHash) : null;
    const matches = await hasher.verify(hash, password);
    // The account may have changed while the password was being checked.
    const current = user === null ? null : users.find(user.id);
    if (!matches || current === null || !current.enabled || current.passwordHash !== user?.passwordHash) {
      return { outcome: "invalid_credentials", userId, reason: refusalOf(current, hash) };
    }
    lockout.clear(username);
    users.update(current.id, { lastLoginAt: clock() });
    return { outcome: "ok", user: current, session: sessions.create(current, ip, userAgent) };
  }

  #hashOf(source: IdentitySource, stored: string | null): string | null {
    const { localEnabled, staticAccount } = this.#deps;
    if (source === "static") return staticAccount?.passwordHash ?? null;
    return source === "local" && localEnabled ? stored : null;
  }
}

function refusalOf(user: User | null, hash: string | null): SignInRefusal {
  if (user === null) return "unknown_user";
  if (!user.enabled) return "account_disabled";
  return hash === null ? "mode_disabled" : "wrong_password";
}
