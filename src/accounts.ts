import { Lockout } from "./auth/lockout.ts";
import { PasswordHasher } from "./auth/passwords.ts";
import { SessionService } from "./auth/sessions.ts";
import { UserDirectory } from "./auth/user_directory.ts";
import type { AuthConfig } from "./config/schema.ts";
import type { Database } from "./store/database.ts";
import { UserService } from "./users/service.ts";

/** The services about people: what `app.ts` and the commands that work on users beside it have in common. */
export interface Accounts {
  readonly directory: UserDirectory;
  readonly sessions: SessionService;
  readonly lockout: Lockout;
  readonly hasher: PasswordHasher;
  readonly users: UserService;
}

/** Builds the services about people on an open database. */
export function buildAccounts(
  database: Database,
  { session, local }: AuthConfig,
  clock: () => number,
): Accounts {
  const directory = new UserDirectory(database);
  const limits = { lifetime: session.lifetime, idleTimeout: session.idle_timeout };
  const sessions = new SessionService(database, directory, limits, clock);
  const { max_attempts: maxAttempts, window } = local.lockout;
  const lockout = new Lockout(database, { maxAttempts, window }, clock);
  const hasher = new PasswordHasher();
  const policy = { minLength: local.password.min_length, preventReuse: local.password.prevent_reuse };
  const users = new UserService({ database, users: directory, sessions, lockout, hasher, policy, clock });
  return { directory, sessions, lockout, hasher, users };
}
