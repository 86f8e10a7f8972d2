import type { Claims } from "../../auth/oidc/client.ts";
import { groupsIn } from "../../auth/oidc/roles.ts";
import { emailField, usernameField } from "../../users/fields.ts";

/** A person as the identity provider describes them. */
export interface ExternalIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** What the person may be called here; somebody else may have the name already. */
  readonly username: string;
  /** `null` for none that is one. */
  readonly email: string | null;
  /** Whether the provider says that the address is the person's. */
  readonly emailVerified: boolean;
  readonly groups: readonly string[];
}

/** Whether claims that make an {@link ExternalIdentity} are missing. `roleClaim` is empty when no groups are needed. */
export function lacksClaims(claims: Claims, roleClaim: string): boolean {
  return claims.preferred_username === undefined || claims.email === undefined ||
    (roleClaim !== "" && groupsIn(claims, roleClaim) === null);
}

/** Describes a person by what their ID token and, after it, the userinfo endpoint say. */
export function identityOf(
  { issuer, subject }: { issuer: string; subject: string },
  sources: readonly Claims[],
  roleClaim: string,
): ExternalIdentity {
  // The address and what is said of it come from one place: what one vouches for must not cover what the other names.
  const withEmail = sources.filter(({ email }) => typeof email === "string");
  const emailSource = withEmail.find(({ email_verified }) => email_verified !== undefined) ?? withEmail[0];
  const email = emailField.safeParse(emailSource?.email).data || null;
  const groups = sources.map((claims) => groupsIn(claims, roleClaim)).find((list) => list !== null) ?? [];
  const names = [...sources.map(({ preferred_username: name }) => name), email, subject];
  return {
    issuer,
    subject,
    username: names.map(usernameFrom).find((name) => name !== null) ?? "user",
    email,
    emailVerified: email !== null && emailSource?.email_verified === true,
    groups,
  };
}

/** `name` in the letters that user names may have; `null` when nothing is left of it. */
function usernameFrom(name: unknown): string | null {
  if (typeof name !== "string") return null;
  const plain = name.normalize("NFKD").replace(/\p{Mark}/gu, "").replace(/[^A-Za-z0-9._@+-]+/g, "-");
  return usernameField.safeParse(plain.replace(/^[^A-Za-z0-9]+/, "").slice(0, 64)).data ?? null;
}
