// @ts-check

/** One language for now; formatters and plurals already go through here, so that a second one has one place to go. */
export const language = "en";

const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

/**
 * A count with its noun: `plural(2, "object", "objects")` → `2 objects`.
 * @param {number} count
 * @param {string} one
 * @param {string} other
 */
export function plural(count, one, other) {
  return `${numbers.format(count)} ${plurals.select(count) === "one" ? one : other}`;
}

/**
 * What happened and what to do, by the API's error code. Codes that are not here show the server's own message.
 * @type {Readonly<Record<string, string>>}
 */
const errorTexts = {
  account_locked: "This account is locked for now. Wait, or ask an administrator to unlock it.",
  backend_error: "The storage backend answered with an error.",
  backend_timeout: "The storage backend did not answer in time. Try again in a moment.",
  bucket_not_empty: "The bucket still holds objects. Empty it first.",
  csrf_invalid: "This page is out of date. Reload it and try again.",
  forbidden: "Your account may not do this.",
  internal: "The server ran into a problem. Try again; if it stays, give the request id to an administrator.",
  invalid_credentials: "User name or password is wrong.",
  mode_disabled: "This way to sign in is turned off.",
  network: "The server cannot be reached. Check the connection and try again.",
  password_change_required: "Change your password first.",
  secret_key_unset: "The server has no root key, so it cannot keep secrets. See SERVICE_SECRET_KEY.",
  shutting_down: "The service is restarting. Try again in a moment.",
  store_unavailable: "The server's database cannot be reached. Try again in a moment.",
  unauthorized: "Your session has ended. Sign in to go on.",
};

/**
 * The sentence for an error of the API.
 * @param {{ code: string, message: string }} error
 */
export function errorText({ code, message }) {
  return Object.hasOwn(errorTexts, code) ? errorTexts[code] : message;
}
