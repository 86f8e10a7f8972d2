/** What a user may do: `readonly` < `user` < `admin`. */
export type Role = "readonly" | "user" | "admin";

/** Where a user's identity comes from. */
export type IdentitySource = "local" | "oidc" | "static";

/** A person who can sign in. Times are milliseconds since the epoch. */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly role: Role;
  readonly identitySource: IdentitySource;
  readonly enabled: boolean;
  readonly mustChangePassword: boolean;
  readonly createdAt: number;
  readonly lastLoginAt: number | null;
}

/** One sign-in. Times are milliseconds since the epoch. */
export interface Session {
  /** Public handle of the session, for lists and for ending it; not the secret in the cookie. */
  readonly id: string;
  readonly userId: string;
  readonly csrfToken: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly createdAt: number;
  /** The hard ceiling. */
  readonly expiresAt: number;
  /** The last API activity, from which the idle clock runs. */
  readonly lastSeenAt: number;
}

/** The signed-in user of a request and the session they use. */
export interface Principal {
  readonly user: User;
  readonly session: Session;
}

const rank: Record<Role, number> = { readonly: 0, user: 1, admin: 2 };

/** Whether `role` includes everything that `needed` may do. */
export function roleIncludes(role: Role, needed: Role): boolean {
  return rank[role] >= rank[needed];
}

/** What a role may do, by the names the dashboard hides and shows its controls by. */
export function abilities(role: Role) {
  const writer = roleIncludes(role, "user");
  const admin = roleIncludes(role, "admin");
  return {
    write_objects: writer,
    share_objects: writer,
    write_bucket_settings: writer,
    create_buckets: admin,
    manage_backends: admin,
    manage_users: admin,
    read_audit: admin,
    read_health: admin,
  };
}
