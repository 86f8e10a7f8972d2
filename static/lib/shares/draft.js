// @ts-check
import { formatDateTime } from "../format.js";
import { t } from "../i18n.js";

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
 * @property {number} longest how long it may last, in milliseconds; `Infinity` for ever
 */

/** @typedef {import("./share.js").Share} Share */

const hour = 3_600_000;

/**
 * How long a share can last, with the keys of its words.
 * @type {ReadonlyArray<readonly [string, import("../i18n.js").MessageKey]>}
 */
export const expiries = [
  ["hour", "shares.expiry_hour"],
  ["day", "shares.expiry_day"],
  ["week", "shares.expiry_week"],
  ["month", "shares.expiry_month"],
  ["custom", "shares.expiry_custom"],
  ["never", "shares.expiry_never"],
];

/** @type {Readonly<Record<string, number>>} */
const lengths = { hour, day: 24 * hour, week: 7 * 24 * hour, month: 30 * 24 * hour };

/**
 * Those of `known` that links which last no longer than `longest` can have, in milliseconds.
 *
 * @param {typeof expiries} known
 * @param {number} longest
 */
export function expiriesWithin(known, longest) {
  return known.filter(([expiry]) => expiry === "custom" || (lengths[expiry] ?? Infinity) <= longest);
}

/**
 * A week, or where that is too long, the longest there is.
 *
 * @param {number} longest in milliseconds
 */
export function usualExpiry(longest) {
  const within = expiriesWithin(expiries, Math.min(longest, lengths.week));
  return within.findLast(([expiry]) => expiry !== "custom")?.[0] ?? "custom";
}

/**
 * The form of a share to be made.
 *
 * @returns {Draft}
 */
export function newDraft() {
  return {
    longest: Infinity,
    expiry: usualExpiry(Infinity),
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
    longest: Infinity,
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
 * A form as it is once it is known how long the link may last: an expiry that is too late becomes the usual one.
 *
 * @template {Pick<Draft, "expiry" | "longest">} Form
 * @param {Form} draft
 * @param {number} longest in milliseconds
 * @returns {Form}
 */
export function draftWithin(draft, longest) {
  const { expiry } = draft;
  const isKnown = expiriesWithin(expiries, longest).some(([within]) => within === expiry);
  return { ...draft, longest, expiry: expiry === "keep" || isKnown ? expiry : usualExpiry(longest) };
}

/**
 * What is wrong with a form, by field; empty when nothing is.
 *
 * @param {Draft} draft
 * @param {number} now milliseconds since the epoch
 * @param {boolean} [passwordNeeded] whether a share that has a password is given another
 * @returns {{ custom?: string, limit?: string, password?: string }}
 */
export function problemsOf(draft, now, passwordNeeded = false) {
  const { expiry, custom, limit, password, passwordMode, longest } = draft;
  /** @type {{ custom?: string, limit?: string, password?: string }} */
  const problems = {};
  if (expiry === "custom") {
    const at = Date.parse(custom);
    if (Number.isNaN(at)) problems.custom = t("shares.choose_moment");
    else if (at <= now) problems.custom = t("shares.moment_passed");
    else if (at - now > longest) {
      problems.custom = t("shares.moment_too_late", { time: formatDateTime(now + longest) });
    }
  }
  if (limit !== "" && !/^[1-9]\d{0,8}$/.test(limit)) {
    problems.limit = t("shares.limit_wrong");
  }
  if (passwordNeeded && passwordMode === "set" && password === "") {
    problems.password = t("shares.password_missing");
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
 * @param {Record<string, string | number | boolean | null>} fields as {@link apiFields} gives them
 */
export function changesOf(share, fields) {
  const known = /** @type {Record<string, unknown>} */ ({ ...share, ...share.upload });
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
