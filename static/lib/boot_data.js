// @ts-check
/// <reference lib="dom" />

/**
 * Who is signed in, as `GET /api/me` says it.
 * @typedef {object} Me
 * @property {string} id
 * @property {string} username
 * @property {string | null} [email]
 * @property {"readonly" | "user" | "admin"} role
 * @property {"local" | "oidc" | "static"} identity_source
 * @property {boolean} must_change_pw
 * @property {{ id?: string, created_at: string, expires_at: string, idle_expires_at: string }} session
 * @property {Record<string, boolean>} can
 */

/**
 * What the server says to the page's script: who is signed in, its own time, and the island's properties.
 * @typedef {object} BootData
 * @property {number} now milliseconds since the epoch, when the page was rendered
 * @property {Me | null} me
 * @property {string} island
 * @property {Record<string, any>} props
 */

/**
 * Reads the page's boot data.
 * @returns {BootData}
 */
export function readBootData() {
  return JSON.parse(document.getElementById("boot")?.textContent ?? "");
}
