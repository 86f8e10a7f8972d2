// @ts-check
import { t } from "../i18n.js";

/** @import { Credential } from "./credential.js" */

/**
 * What the form of a credential holds.
 *
 * @typedef {object} Draft
 * @property {string} backend id
 * @property {readonly string[]} buckets
 * @property {string} prefix
 * @property {"write" | "read"} access
 * @property {string} description
 * @property {string} expiry one of {@link expiries}, or `keep` for a credential that ends some day
 * @property {string} custom local date and time, as an `<input type="datetime-local">` has it, for the expiry `custom`
 * @property {string} owner name of the user it is for; empty for nobody
 */

/** @typedef {{ backend?: string, buckets?: string, custom?: string, owner?: string }} Problems */

const day = 86_400_000;

/**
 * How long a credential can be good for, with the keys of its words.
 * @type {ReadonlyArray<readonly [string, import("../i18n.js").MessageKey]>}
 */
export const expiries = [
  ["never", "credentials.expiry_never"],
  ["month", "credentials.expiry_month"],
  ["quarter", "credentials.expiry_quarter"],
  ["year", "credentials.expiry_year"],
  ["custom", "credentials.expiry_custom"],
];

/** @type {Readonly<Record<string, number>>} */
const lengths = { month: 30 * day, quarter: 90 * day, year: 365 * day };

/**
 * The form of a credential to be made.
 *
 * @param {string} backend id of the backend that is chosen first
 * @param {{ readOnly: boolean, owner: string }} defaults
 * @returns {Draft}
 */
export function newDraft(backend, { readOnly, owner }) {
  return {
    backend,
    buckets: [],
    prefix: "",
    access: readOnly ? "read" : "write",
    description: "",
    expiry: "quarter",
    custom: "",
    owner,
  };
}

/**
 * The form of a credential as it is.
 *
 * @param {Credential} credential
 * @returns {Draft}
 */
export function draftOf({ backend_id, buckets, prefix, read_only, description, expires_at, username }) {
  return {
    backend: backend_id,
    buckets,
    prefix,
    access: read_only ? "read" : "write",
    description,
    expiry: expires_at === undefined ? "never" : "keep",
    custom: "",
    owner: username ?? "",
  };
}

/**
 * What is wrong with a form, by field; empty when nothing is.
 *
 * @param {Draft} draft
 * @param {number} now milliseconds since the epoch
 * @returns {Problems}
 */
export function problemsOf({ buckets, expiry, custom }, now) {
  /** @type {Problems} */
  const problems = {};
  if (buckets.length === 0) problems.buckets = t("credentials.choose_bucket");
  if (expiry === "custom") {
    const at = Date.parse(custom);
    if (Number.isNaN(at)) problems.custom = t("credentials.choose_moment");
    else if (at <= now) problems.custom = t("credentials.moment_passed");
  }
  return problems;
}

/**
 * The fields of a form that can be changed later, as the API takes them. What is kept is left out.
 *
 * @param {Draft} draft
 * @param {number} now milliseconds since the epoch
 * @returns {Record<string, unknown>}
 */
export function apiFields({ buckets, prefix, access, description, expiry, custom }, now) {
  const fields = { buckets, prefix, read_only: access === "read", description: description.trim() };
  return expiry === "keep" ? fields : { ...fields, expires_at: expiryOf(expiry, custom, now) };
}

/**
 * @param {string} expiry
 * @param {string} custom
 * @param {number} now
 */
function expiryOf(expiry, custom, now) {
  if (expiry === "never") return null;
  const at = expiry === "custom" ? Date.parse(custom) : now + lengths[expiry];
  return new Date(at).toISOString();
}
