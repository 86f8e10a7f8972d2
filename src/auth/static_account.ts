import { randomUUID } from "node:crypto";
import type { Config } from "../config/schema.ts";
import type { Database } from "../store/database.ts";
import { findUserByName, insertUser, listUsers, updateUser } from "../store/users_repository.ts";

/** The one account that the configuration defines; always an administrator. */
export interface StaticAccount {
  readonly username: string;
  /** PHC string of argon2id. */
  readonly passwordHash: string;
}

/** The static account, when the configuration uses it. */
export function staticAccountOf({ auth }: Config): StaticAccount | null {
  const { username, password_hash: passwordHash } = auth.static;
  return passwordHash === undefined ? null : { username, passwordHash };
}

/** The name of the static account already belongs to a user of another kind. */
export class StaticAccountError extends Error {
  override readonly name = "StaticAccountError";
}

/**
 * Makes the table of users say what the configuration says: `account` has an enabled row, and rows of accounts that the
 * configuration named before are disabled, which ends their sessions at their next request. The password stays in the
 * configuration. Throws {@link StaticAccountError}.
 */
export function storeStaticAccount(database: Database, account: StaticAccount | null, now: number): void {
  database.transaction(() => {
    const { users } = listUsers(database, { source: "static", enabled: true }, -1, 0);
    for (const user of users) {
      if (user.username !== account?.username) updateUser(database, user.id, { enabled: false });
    }
    if (account === null) return;
    const existing = findUserByName(database, account.username);
    if (existing === null) {
      insertUser(database, {
        id: randomUUID(),
        username: account.username,
        email: null,
        role: "admin",
        identitySource: "static",
        passwordHash: null,
        enabled: true,
        mustChangePassword: false,
        createdAt: now,
        lastLoginAt: null,
        emailVouched: false,
      });
    } else if (existing.identitySource !== "static") {
      throw new StaticAccountError(
        `auth.static.username: "${account.username}" is already the name of a user of the dashboard: choose another`,
      );
    } else {
      updateUser(database, existing.id, { enabled: true });
    }
  });
}
