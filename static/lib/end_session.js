// @ts-check
import { ApiError, request } from "./api.js";

/**
 * Ends a session, unless it has ended meanwhile by itself. Rejects with an `ApiError`.
 * @param {string} path where the API keeps the sessions of its user
 * @param {string} id
 */
export async function endSession(path, id) {
  try {
    await request("DELETE", `${path}/${encodeURIComponent(id)}`);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}
