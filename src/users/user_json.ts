import { z } from "zod";
import type { User } from "../auth/principal.ts";
import type { OpenSessions } from "../store/sessions_repository.ts";
import { identitySourceField, roleField } from "./fields.ts";
import type { UserService } from "./service.ts";

/** A user as the API shows them. */
export const userSchema = z.strictObject({
  id: z.string(),
  username: z.string(),
  email: z.string().optional(),
  role: roleField,
  identity_source: identitySourceField,
  enabled: z.boolean(),
  must_change_pw: z.boolean(),
  locked: z.boolean(),
  /** When they may try to sign in again. */
  locked_until: z.iso.datetime().optional(),
  created_at: z.iso.datetime(),
  last_login_at: z.iso.datetime().optional(),
  /** The latest activity in a session that is open. */
  last_seen_at: z.iso.datetime().optional(),
  session_count: z.int(),
});

/** What belongs to a user, and goes with them. */
export const belongingsSchema = z.strictObject({
  sessions: z.int(),
  shares: z.int(),
  s3_credentials: z.int(),
  jobs: z.int(),
  pins: z.int(),
});

/** A user as the API shows them. */
export function userJson(user: User, users: UserService): z.output<typeof userSchema> {
  return toJson(user, users, users.openSessions());
}

/** Users as the API lists them. */
export function usersJson(list: readonly User[], users: UserService): z.output<typeof userSchema>[] {
  const open = users.openSessions();
  return list.map((user) => toJson(user, users, open));
}

function toJson(
  user: User,
  users: UserService,
  open: ReadonlyMap<string, OpenSessions>,
): z.output<typeof userSchema> {
  const sessions = open.get(user.id);
  const lockedUntil = users.lockedUntil(user);
  return {
    id: user.id,
    username: user.username,
    email: user.email ?? undefined,
    role: user.role,
    identity_source: user.identitySource,
    enabled: user.enabled,
    must_change_pw: user.mustChangePassword,
    locked: lockedUntil !== undefined,
    locked_until: optionalTime(lockedUntil),
    created_at: new Date(user.createdAt).toISOString(),
    last_login_at: optionalTime(user.lastLoginAt),
    last_seen_at: optionalTime(sessions?.lastSeenAt),
    session_count: sessions?.count ?? 0,
  };
}

function optionalTime(at: number | null | undefined): string | undefined {
  return at === null || at === undefined ? undefined : new Date(at).toISOString();
}
