import type { IdentitySource, Role, User } from "../auth/principal.ts";
import type { Database, Row } from "./database.ts";

/** A user together with the hash that the API never shows. */
export interface StoredUser extends User {
  /** PHC string of argon2id; `null` for accounts whose password is kept elsewhere. */
  readonly passwordHash: string | null;
  /**
   * Whether an administrator or the identity provider stands for the e-mail address; not when a person gave it of
   * themselves.
   */
  readonly emailVouched: boolean;
}

/** Fields of a user that can be changed. */
export type UserChanges = Partial<
  Pick<
    StoredUser,
    | "email"
    | "emailVouched"
    | "role"
    | "identitySource"
    | "enabled"
    | "mustChangePassword"
    | "passwordHash"
    | "lastLoginAt"
  >
>;

/** Which users are meant; a missing field means any. */
export interface UserFilter {
  /** Part of the user name or e-mail address. */
  readonly query?: string;
  readonly role?: Role;
  readonly source?: IdentitySource;
  readonly enabled?: boolean;
}

/** Appends a user. Throws the database's constraint error when the name or the e-mail address is taken. */
export function insertUser(database: Database, user: StoredUser): void {
  database.run(
    `INSERT INTO users (id, username, email, role, identity_source, password_hash, enabled, must_change_password,
                        created_at, last_login_at, email_vouched)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    user.id,
    user.username,
    user.email,
    user.role,
    user.identitySource,
    user.passwordHash,
    Number(user.enabled),
    Number(user.mustChangePassword),
    user.createdAt,
    user.lastLoginAt,
    Number(user.emailVouched),
  );
}

/** The user with this id, or `null`. */
export function findUser(database: Database, id: string): StoredUser | null {
  const row = database.get("SELECT * FROM users WHERE id = ?", id);
  return row === undefined ? null : toUser(row);
}

/** The user with this name, in whatever case it is written, or `null`. */
export function findUserByName(database: Database, username: string): StoredUser | null {
  const row = database.get("SELECT * FROM users WHERE username = ?", username);
  return row === undefined ? null : toUser(row);
}

/** The user with this e-mail address, or `null`. */
export function findUserByEmail(database: Database, email: string): StoredUser | null {
  const row = database.get("SELECT * FROM users WHERE email = ?", email);
  return row === undefined ? null : toUser(row);
}

/** One page of the users that match, by name, and how many there are in all. */
export function listUsers(
  database: Database,
  filter: UserFilter,
  limit: number,
  offset: number,
): { users: StoredUser[]; total: number } {
  const where: string[] = [];
  const values: (string | number)[] = [];
  if (filter.query !== undefined) {
    where.push("(instr(lower(username), ?) > 0 OR instr(lower(coalesce(email, '')), ?) > 0)");
    const query = filter.query.toLowerCase();
    values.push(query, query);
  }
  if (filter.role !== undefined) where.push("role = ?") && values.push(filter.role);
  if (filter.source !== undefined) where.push("identity_source = ?") && values.push(filter.source);
  if (filter.enabled !== undefined) where.push("enabled = ?") && values.push(Number(filter.enabled));
  const clause = where.length === 0 ? "" : `WHERE ${where.join(" AND ")}`;
  const rows = database.all(
    `SELECT * FROM users ${clause} ORDER BY username COLLATE NOCASE LIMIT ? OFFSET ?`,
    ...values,
    limit,
    offset,
  );
  const total = Number(database.get(`SELECT count(*) AS total FROM users ${clause}`, ...values)?.total);
  return { users: rows.map(toUser), total };
}

/** Whether there is any user at all who can sign in. */
export function hasUsers(database: Database): boolean {
  return database.get("SELECT 1 FROM users LIMIT 1") !== undefined;
}

/** How many enabled administrators there are. */
export function countEnabledAdmins(database: Database): number {
  return Number(
    database.get("SELECT count(*) AS total FROM users WHERE role = 'admin' AND enabled = 1")?.total,
  );
}

/** Changes the given fields of a user. */
export function updateUser(database: Database, id: string, changes: UserChanges): void {
  const assignments: string[] = [];
  const values: (string | number | null)[] = [];
  const set = (column: string, value: string | number | boolean | null | undefined) => {
    if (value === undefined) return;
    assignments.push(`${column} = ?`);
    values.push(typeof value === "boolean" ? Number(value) : value);
  };
  set("email", changes.email);
  set("email_vouched", changes.emailVouched);
  set("role", changes.role);
  set("identity_source", changes.identitySource);
  set("enabled", changes.enabled);
  set("must_change_password", changes.mustChangePassword);
  set("password_hash", changes.passwordHash);
  set("last_login_at", changes.lastLoginAt);
  if (assignments.length === 0) return;
  database.run(`UPDATE users SET ${assignments.join(", ")} WHERE id = ?`, ...values, id);
}

/** Removes a user and, by the foreign key, their sessions. */
export function deleteUser(database: Database, id: string): void {
  database.run("DELETE FROM users WHERE id = ?", id);
}

function toUser(row: Row): StoredUser {
  return {
    id: String(row.id),
    username: String(row.username),
    email: row.email === null ? null : String(row.email),
    role: row.role as Role,
    identitySource: row.identity_source as IdentitySource,
    passwordHash: row.password_hash === null ? null : String(row.password_hash),
    enabled: row.enabled === 1,
    mustChangePassword: row.must_change_password === 1,
    emailVouched: row.email_vouched === 1,
    createdAt: Number(row.created_at),
    lastLoginAt: row.last_login_at === null ? null : Number(row.last_login_at),
  };
}
