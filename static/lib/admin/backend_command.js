// @ts-check
import { apiCommand, secretWord } from "../api_command.js";

/** Where the API keeps backends. */
export const backendsPath = "/api/admin/backends";

/**
 * Where the API keeps a backend.
 * @param {string} id
 */
export function backendPath(id) {
  return `${backendsPath}/${encodeURIComponent(id)}`;
}

/**
 * The command that adds a backend, or changes it, as a form says it. A secret that was typed is left out of it.
 * @param {Record<string, unknown>} definition
 * @param {string} [id] of the backend that is changed
 */
export function backendCommand(definition, id) {
  const json = definition.secret_key === undefined ? definition : { ...definition, secret_key: secretWord };
  return id === undefined
    ? apiCommand("POST", backendsPath, json)
    : apiCommand("PATCH", backendPath(id), json);
}
