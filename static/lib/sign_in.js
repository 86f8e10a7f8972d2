// @ts-check
/// <reference lib="dom" />
import { ApiError, toError } from "./api.js";

/**
 * Signs in with a password. Throws {@link ApiError}. Outside the request scheduler: what waits there waits for this.
 * @param {string} username
 * @param {string} password
 */
export async function signIn(username, password) {
  const response = await fetch("/auth/login/local", {
    method: "POST",
    headers: { "accept": "application/json", "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  }).catch(() => {
    throw new ApiError({ status: 0, code: "network", message: "The server cannot be reached." });
  });
  if (!response.ok) throw await toError(response);
  return await response.json();
}
