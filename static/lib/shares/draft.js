// @ts-check

/**
 * What the form of a share holds.
 *
 * @typedef {object} Draft
 * @property {string} expiry one of {@link expiries}, or `keep` for a share that has one
 * @property {string} custom local date and time, as an `<input type="datetime-local">` has it, for the expiry `custom`
 * @property {"keep" | "set" | "none"} passwordMode
 * @property {string} password
 * @property {string} limit number of downloads; empty for any number
 * @property {"inline" | "attachment"} disposition
 * @property {string} note
 */

/** @typedef {import("./share.js").Share} Share */

const hour = 3_600_000;

/** The word for a share that lasts until it is revoked. */
export const never = "Never";

/** How long a share can last, with its words. */
export const expiries = /** @type {const} */ ([
  ["hour", "1 hour"],
  ["day", "1 day"],
  ["week", "7 days"],
  ["month", "30 days"],
  ["custom", "Custom…"],
  ["never", never],
]);

/** @type {Readonly<Record<string, number>>} */
const lengths = { hour, day: 24 * hour, week: 7 * 24 * hour, month: 30 * 24 * hour };

/**
 * The form of a share to be made.
 *
 * @returns {Draft}
 */
export function newDraft() {
  return {
    expiry: "week",
    custom: "",
    passwordMode: "set",
    password: "",
    limit: "",
    disposition: "attachment",
    note: "",
  };
}

/**
 * The form of a share as it is.
 *
 * @param {Share} share
 * @returns {Draft}
 */
export function draftOf({ has_password, max_downloads, disposition, note }) {
  return {
    expiry: "keep",
    custom: "",
    passwordMode: has_password ? "keep" : "set",
    password: "",
    limit: max_downloads === null ? "" : String(max_downloads),
    disposition,
    note,
  };
}

/**
 * What is wrong with a form, by field; empty when nothing is.
 *
 * @param {Draft} draft
 * @param {number} now milliseconds since the epoch
 * @param {boolean} [passwordNeeded] whether a share that has a password is given another
 * @returns {{ custom?: string, limit?: string, password?: string }}
 */
export function problemsOf({ expiry, custom, limit, password, passwordMode }, now, passwordNeeded = false) {
  /** @type {{ custom?: string, limit?: string, password?: string }} */
  const problems = {};
  if (expiry === "custom") {
    const at = Date.parse(custom);
    if (Number.isNaN(at)) problems.custom = "Choose a date and a time.";
    else if (at <= now) problems.custom = "That moment has passed.";
  }
  if (limit !== "" && !/^[1-9]\d{0,8}$/.test(limit)) {
    problems.limit = "A whole number from 1 on, or nothing for no limit.";
  }
  if (passwordNeeded && passwordMode === "set" && password === "") {
    problems.password = "Give the new password.";
  }
  return problems;
}

/**
 * A form as the API takes it. What is kept is left out.
 *
 * @param {Draft} draft
 * @param {number} now milliseconds since the epoch
 * @returns {Record<string, string | number | null>}
 */
export function apiFields({ expiry, custom, passwordMode, password, limit, disposition, note }, now) {
  /** @type {Record<string, string | number | null>} */
  const fields = { max_downloads: limit === "" ? null : Number(limit), disposition, note };
  if (expiry === "never") fields.expires_at = null;
  else if (expiry !== "keep") {
    fields.expires_at = new Date(expiry === "custom" ? Date.parse(custom) : now + lengths[expiry])
      .toISOString();
  }
  if (passwordMode === "none") fields.password = null;
  else if (passwordMode === "set" && password !== "") fields.password = password;
  return fields;
}

/**
 * Which fields of a form change a share.
 *
 * @param {Share} share
 * @param {Record<string, string | number | null>} fields as {@link apiFields} gives them
 */
export function changesOf(share, fields) {
  const known = /** @type {Record<string, unknown>} */ (share);
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => name === "password" || known[name] !== value),
  );
}

/** Letters and digits that are not taken for one another when read out. */
const passwordAlphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** A password of 20 random letters and digits, which is 115 bits. */
export function newPassword() {
  const firstUnfair = 256 - 256 % passwordAlphabet.length;
  let password = "";
  while (password.length < 20) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < firstUnfair) password += passwordAlphabet[byte % passwordAlphabet.length];
  }
  return password;
}
