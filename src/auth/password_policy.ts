import { maxPasswordLength } from "./passwords.ts";

/** Rules for the passwords of local accounts, from `auth.local.password`. */
export interface PasswordPolicy {
  /** In characters (Unicode code points). */
  readonly minLength: number;
  /** Whether a change to the current password is refused. */
  readonly preventReuse: boolean;
}

/** Why `password` cannot be used, as a sentence for its owner, or `null` when it can. */
export function passwordFault(policy: PasswordPolicy, password: string): string | null {
  const length = [...password].length;
  if (length < policy.minLength) return `The password needs at least ${policy.minLength} characters.`;
  if (length > maxPasswordLength) return `The password may have at most ${maxPasswordLength} characters.`;
  return null;
}
