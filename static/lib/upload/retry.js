// @ts-check

/** Attempts after the first one before an upload is given up. */
export const maxRetries = 5;

/**
 * How sending one file ended.
 *
 * @typedef {object} Outcome
 * @property {number} status HTTP status; 0 when no answer came
 * @property {string} [code] the error's code
 * @property {string} [message]
 * @property {any} [detail] what the error says besides
 * @property {number} [retryAfter] seconds
 * @property {number} [wait] milliseconds until the limit on the session's requests has room for another one
 */

/**
 * What to do about an answer: `done`; `exists` (the name is taken); `sign_in` (the session has ended); `wait` (the
 * server limits requests: everything waits); `retry` (it may pass by itself); `fail`.
 *
 * @param {Outcome} outcome
 * @returns {"done" | "exists" | "sign_in" | "wait" | "retry" | "fail"}
 */
export function reaction({ status, code }) {
  if (status >= 200 && status < 300) return "done";
  if (code === "object_exists") return "exists";
  if (status === 401) return "sign_in";
  if (status === 429) return "wait";
  if (code === "csrf_invalid") return "retry";
  if (status === 0 || status === 408 || (status >= 500 && status !== 507)) return "retry";
  return "fail";
}

/**
 * Milliseconds to wait before a retry: doubling from one second up to thirty, with jitter so that many files that failed
 * together do not come back together.
 *
 * @param {number} attempt counted from 1
 * @param {number} chance 0 to 1
 */
export function backOff(attempt, chance) {
  const full = Math.min(30_000, 1000 * 2 ** (attempt - 1));
  return full / 2 + chance * full / 2;
}
