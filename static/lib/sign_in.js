// @ts-check
/// <reference lib="dom" />
import { noAnswer, toError } from "./api.js";
import { withBase } from "./base.js";

/**
 * Signs in with a password. Throws `ApiError`. Outside the request scheduler: what waits there waits for this.
 * @param {string} username
 * @param {string} password
 */
export async function signIn(username, password) {
  const response = await fetch(withBase("/auth/login/local"), {
    method: "POST",
    headers: { "accept": "application/json", "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  }).catch(() => {
    throw noAnswer();
  });
  if (!response.ok) throw await toError(response);
  return await response.json();
}
