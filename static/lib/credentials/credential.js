// @ts-check
import { t } from "../i18n.js";

/** @typedef {"active" | "disabled" | "expired" | "unusable"} Status */

/**
 * A stored credential as the API shows it. Times are RFC 3339.
 *
 * @typedef {object} Credential
 * @property {string} access_key
 * @property {string} backend_id
 * @property {string[]} buckets
 * @property {string} prefix
 * @property {boolean} read_only
 * @property {string} description
 * @property {boolean} enabled
 * @property {Status} status
 * @property {string} [expires_at]
 * @property {string} [user_id]
 * @property {string} [username]
 * @property {string} [last_used_at]
 * @property {string} source
 */

/** @typedef {Credential & { endpoint_url: string, secret_key: string }} MintedCredential */

/**
 * A credential of any source, as the S3 endpoint sees it.
 *
 * @typedef {object} EffectiveCredential
 * @property {string} access_key
 * @property {Array<{ backend_id: string, bucket: string }>} scopes
 * @property {string} prefix
 * @property {boolean} read_only
 * @property {Status} status
 * @property {string} [expires_at]
 * @property {string} [user_id]
 * @property {string} [username]
 * @property {string} [last_used_at]
 * @property {string} source
 */

/**
 * A bucket that is open to everyone.
 *
 * @typedef {object} Binding
 * @property {string} backend_id
 * @property {string} bucket
 * @property {"ReadOnly" | "None"} mode
 * @property {number} per_source_ip_rps
 * @property {string} source
 */

/** @typedef {{ id: string, name: string }} Backend */

/**
 * A row of the table: a credential of any source.
 *
 * @typedef {object} Row
 * @property {string} accessKey
 * @property {string} description empty where it has none
 * @property {string} owner name of the user it belongs to, or empty
 * @property {Array<{ backend: string, buckets: string[] }>} scopes `backend` is an id
 * @property {string} prefix
 * @property {boolean} readOnly
 * @property {Status} status
 * @property {string | undefined} expiresAt
 * @property {string | undefined} lastUsedAt
 * @property {string} source
 * @property {Credential | null} stored what can be changed; `null` for one that is kept elsewhere
 */

/** The addresses of the API for one's own credentials and, for administrators, for everyone's. */
export const ownPath = "/api/me/s3-credentials";
export const adminPath = "/api/admin/s3-credentials";

/**
 * The rows of the table: what can be changed here first, then what comes from elsewhere.
 *
 * @param {readonly Credential[]} credentials
 * @param {readonly EffectiveCredential[]} effective
 * @returns {Row[]}
 */
export function rowsOf(credentials, effective) {
  return [...credentials.map(storedRow), ...effective.map(effectiveRow)];
}

/**
 * @param {Credential} stored
 * @returns {Row}
 */
export function storedRow(stored) {
  return {
    accessKey: stored.access_key,
    description: stored.description,
    owner: stored.username ?? "",
    scopes: [{ backend: stored.backend_id, buckets: stored.buckets }],
    prefix: stored.prefix,
    readOnly: stored.read_only,
    status: stored.status,
    expiresAt: stored.expires_at,
    lastUsedAt: stored.last_used_at,
    source: stored.source,
    stored,
  };
}

/**
 * @param {EffectiveCredential} credential
 * @returns {Row}
 */
function effectiveRow(credential) {
  /** @type {Map<string, string[]>} */
  const scopes = new Map();
  for (const { backend_id, bucket } of credential.scopes) {
    scopes.set(backend_id, [...scopes.get(backend_id) ?? [], bucket]);
  }
  return {
    accessKey: credential.access_key,
    description: "",
    owner: credential.username ?? "",
    scopes: [...scopes].map(([backend, buckets]) => ({ backend, buckets })),
    prefix: credential.prefix,
    readOnly: credential.read_only,
    status: credential.status,
    expiresAt: credential.expires_at,
    lastUsedAt: credential.last_used_at,
    source: credential.source,
    stored: null,
  };
}

/** Credentials that end within so many milliseconds expire soon. */
const soon = 7 * 86_400_000;

/**
 * A row's state as a badge says it.
 *
 * @param {Row} row
 * @param {number} now milliseconds since the epoch
 * @returns {{ kind: "ok" | "warn" | "bad" | "neutral", word: string }}
 */
export function stateBadge({ status, expiresAt }, now) {
  if (status === "disabled") return { kind: "neutral", word: t("credentials.state_disabled") };
  if (status === "expired") return { kind: "neutral", word: t("credentials.state_expired") };
  if (status === "unusable") return { kind: "bad", word: t("credentials.state_unusable") };
  return expiresAt !== undefined && Date.parse(expiresAt) - now < soon
    ? { kind: "warn", word: t("credentials.state_expiring") }
    : { kind: "ok", word: t("credentials.state_active") };
}

/**
 * Whether a row is what someone looks for.
 *
 * @param {Row} row
 * @param {{ query: string, state: string }} wanted `state` a status, or empty for any
 */
export function matches({ accessKey, description, owner, scopes, prefix, status }, { query, state }) {
  if (state !== "" && status !== state) return false;
  const texts = [accessKey, description, owner, prefix, ...scopes.flatMap(({ buckets }) => buckets)];
  const needle = query.trim().toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(needle));
}

/**
 * What a credential is called: its description, or its access key.
 *
 * @param {Pick<Row, "description" | "accessKey">} row
 */
export function labelOf({ description, accessKey }) {
  return description || accessKey;
}
