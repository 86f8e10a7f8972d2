import type { Role } from "../principal.ts";

/** Groups that give each role. */
export type RoleMapping = Readonly<Partial<Record<Role, readonly string[]>>>;

/** The roles of the service, strongest first. */
const roles: readonly Role[] = ["admin", "user", "readonly"];

/** Whether the identity provider decides on roles: it does when any group gives one. */
export function decidesRoles(mapping: RoleMapping): boolean {
  return roles.some((role) => (mapping[role] ?? []).length > 0);
}

/** The strongest role that `groups` give, or `null` for none. */
export function roleOfGroups(groups: readonly string[], mapping: RoleMapping): Role | null {
  return roles.find((role) => mapping[role]?.some((group) => groups.includes(group))) ?? null;
}

/**
 * The groups in the claim called `name`: its strings, or itself when it is one. A name that is no claim is a path with
 * dots into nested ones, as in `realm_access.roles`. Returns `null` where there is no such claim.
 */
export function groupsIn(claims: Readonly<Record<string, unknown>>, name: string): string[] | null {
  const value = claimAt(claims, name);
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((group) => typeof group === "string") : null;
}

function claimAt(claims: object, name: string): unknown {
  if (Object.hasOwn(claims, name)) return (claims as Record<string, unknown>)[name];
  let value: unknown = claims;
  for (const part of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}
