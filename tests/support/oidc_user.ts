import { Database } from "../../src/store/database.ts";
import { insertOidcIdentity } from "../../src/store/oidc_repository.ts";
import { insertUser } from "../../src/store/users_repository.ts";
import type { Program } from "./program.ts";

/** Adds a user `olivia` whom an identity provider vouches for, as their first sign-in would. Returns their id. */
export function addOidcUser({ databasePath }: Pick<Program, "databasePath">): string {
  const id = "oidc-user";
  const database = new Database(databasePath);
  try {
    insertUser(database, {
      id,
      username: "olivia",
      email: "olivia@example.com",
      role: "user",
      identitySource: "oidc",
      passwordHash: null,
      enabled: true,
      mustChangePassword: false,
      createdAt: Date.now(),
      lastLoginAt: null,
      emailVouched: false,
    });
    insertOidcIdentity(database, { issuer: "https://idp.example", subject: "1" }, id, Date.now());
  } finally {
    database.close();
  }
  return id;
}
