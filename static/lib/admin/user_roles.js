// @ts-check
import { t } from "../i18n.js";

/**
 * The roles of the service, weakest first, with the names they are shown by.
 * @type {ReadonlyArray<readonly [string, import("../i18n.js").MessageKey]>}
 */
export const roles = [["readonly", "users.role_readonly"], ["user", "users.role_user"], [
  "admin",
  "users.role_admin",
]];

/**
 * The name of a role.
 * @param {string} role
 */
export function roleWord(role) {
  const key = roles.find(([value]) => value === role)?.[1];
  return key === undefined ? role : t(key);
}
