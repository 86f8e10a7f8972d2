// @ts-check
import { apiCommand } from "../api_command.js";
import { apiFields } from "./draft.js";
import { ownPath } from "./credential.js";

/** @import { Draft } from "./draft.js" */

/**
 * The command that makes a credential for oneself as a form says it.
 *
 * @param {Draft} draft
 * @returns {string[]}
 */
export function createCommand(draft) {
  return [apiCommand("POST", ownPath, { backend_id: draft.backend, ...fieldsOf(draft) })];
}

/**
 * The command that changes a credential as a form says it.
 *
 * @param {Draft} draft
 * @param {string} path of the credential in the API
 * @returns {string[]}
 */
export function changeCommand(draft, path) {
  return [apiCommand("PATCH", path, fieldsOf(draft))];
}

/** @param {Draft} draft */
function fieldsOf(draft) {
  const custom = draft.expiry === "custom" && Number.isNaN(Date.parse(draft.custom));
  return apiFields(custom ? { ...draft, expiry: "never" } : draft, Date.now());
}
