// @ts-check
import { shellWord } from "./commands.js";

/** Stands in commands for a secret that was typed or is not known. It is a word to every shell. */
export const secretWord = "SECRET";

/**
 * A request of curl to the API. The address of the dashboard is in `$dashboard`, the session in the file `cookies.txt` and
 * its token in `$token`, as in the documentation.
 * @param {string} method
 * @param {string} path such as `/api/admin/users`, its parts encoded
 * @param {unknown} [json] the body
 */
export function apiCommand(method, path, json) {
  const verb = method === "POST" && json !== undefined ? "" : ` -X ${method}`;
  const type = json === undefined ? "" : " -H 'content-type: application/json'";
  return [
    `curl -sS${verb} -b cookies.txt -H "x-csrf-token: $token"${type}`,
    ...(json === undefined ? [] : [`  -d ${shellWord(JSON.stringify(json))}`]),
    `  "$dashboard${path}"`,
  ].join(" \\\n");
}
