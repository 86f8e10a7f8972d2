// @ts-check
import { causeWords } from "./backend_failure.js";
import { html } from "./html.js";
import { formatDateTime } from "./format.js";
import { t } from "./i18n.js";
import { runsBackends } from "./reader.js";

/** @import { MessageKey } from "./i18n.js" */

/**
 * Texts that say all there is to say, by the API's error code.
 * @type {Readonly<Record<string, MessageKey>>}
 */
const complete = {
  account_locked: "error.account_locked",
  backend_timeout: "error.backend_timeout",
  bucket_not_empty: "error.bucket_not_empty",
  csrf_invalid: "error.csrf_invalid",
  email_taken: "error.email_taken",
  exhausted: "error.exhausted",
  expired: "error.expired",
  id_taken: "error.id_taken",
  internal: "error.internal",
  invalid_credentials: "error.invalid_credentials",
  invalid_storage_class: "error.invalid_storage_class",
  last_admin: "error.last_admin",
  length_required: "error.length_required",
  method_not_allowed: "error.method_not_allowed",
  mode_disabled: "error.mode_disabled",
  network: "error.network",
  not_local: "error.not_local",
  object_exists: "error.object_exists",
  password_change_required: "error.password_change_required",
  password_mismatch: "error.password_mismatch",
  password_required: "error.password_required",
  quota_exceeded: "error.quota_exceeded",
  rate_limited: "error.rate_limited",
  revoked: "error.revoked",
  secret_key_unset: "error.secret_key_unset",
  self_delete: "error.self_delete",
  self_role_change: "error.self_role_change",
  shutting_down: "error.shutting_down",
  size_tracking_disabled: "error.size_tracking_disabled",
  static_user: "error.static_user",
  too_many_shares: "error.too_many_shares",
  store_unavailable: "error.store_unavailable",
  unauthorized: "error.unauthorized",
  username_taken: "error.username_taken",
  yaml_managed: "error.yaml_managed",
};

/**
 * Texts of codes that stand for several faults: which one it is, the server says in English.
 * @type {Readonly<Record<string, MessageKey>>}
 */
const general = {
  bad_range: "error.bad_range",
  bad_request: "error.bad_request",
  conflict: "error.conflict",
  forbidden: "error.forbidden",
  invalid_bucket_name: "error.invalid_bucket_name",
  invalid_cors: "error.invalid_cors",
  invalid_key: "error.invalid_key",
  invalid_lifecycle: "error.invalid_lifecycle",
  invalid_metadata: "error.invalid_metadata",
  invalid_policy: "error.invalid_policy",
  invalid_prefix: "error.invalid_prefix",
  invalid_quota: "error.invalid_quota",
  invalid_tag: "error.invalid_tag",
  not_found: "error.not_found",
  oidc_failed: "error.oidc_failed",
  precondition_failed: "error.precondition_failed",
  too_large: "error.too_large",
  too_many_keys: "error.too_many_keys",
  too_many_tags: "error.too_many_tags",
  weak_password: "error.weak_password",
};

/** @typedef {{ text: string, said: string }} Words */

/**
 * Words of codes whose errors say more in their detail.
 * @type {Readonly<Record<string, (detail: any, message: string) => Words>>}
 */
const detailed = {
  backend_error: backendWords,
  not_supported: unsupportedWords,
  object_locked: (lock) => ({ text: lockText(lock), said: "" }),
};

/** Every code that has a text. */
export const knownCodes = [...Object.keys(complete), ...Object.keys(general), ...Object.keys(detailed)];

/**
 * The words for an error of the API: a sentence in the page's language, which says what to do where that is known, and what the
 * server says besides, in English. Its words are the sentence where a code is not known.
 * @param {{ code: string, message: string, text?: string, said?: string, detail?: any }} error `message` as the server says it,
 *   empty for none; an `ApiError` has its words already
 * @returns {Words}
 */
export function errorWords({ code, message, text = message, said, detail }) {
  if (said !== undefined) return { text, said };
  if (Object.hasOwn(detailed, code)) return detailed[code](detail ?? {}, message);
  if (Object.hasOwn(complete, code)) return { text: t(complete[code]), said: "" };
  if (!Object.hasOwn(general, code)) return { text: message, said: "" };
  return { text: t(general[code]), said: message };
}

/**
 * What failed at a backend: to whoever looks after it, the cause and what to do; to others, whom to tell.
 * @param {{ reason?: string, upstream_status?: number }} detail
 * @param {string} message
 * @returns {Words}
 */
function backendWords({ reason, upstream_status: status }, message) {
  const cause = causeWords(reason, message);
  // It may be in the middle of its answer that the connection is lost.
  const hasAnswered = cause === null || status !== undefined || reason === "connection_lost";
  if (!runsBackends()) {
    return hasAnswered
      ? { text: t("error.backend_error"), said: message }
      : { text: t("error.backend_silent"), said: "" };
  }
  if (cause === null) return { text: t("error.backend_refusal"), said: message };
  return hasAnswered
    ? { text: `${t("error.backend_refusal")} ${cause.text}`, said: cause.said }
    : { text: t("error.backend_unreachable", { cause: cause.text }), said: cause.said };
}

/**
 * What a backend or an object cannot do. Where it is the backend that says so, the server's sentence is this very one.
 * @param {{ upstream_status?: number }} detail
 * @param {string} message
 * @returns {Words}
 */
function unsupportedWords({ upstream_status: status }, message) {
  return { text: t("error.not_supported"), said: status === undefined ? message : "" };
}

/** @param {{ retain_until?: string, legal_hold?: boolean }} lock */
function lockText({ retain_until: until, legal_hold: isHeld }) {
  if (until === undefined) return isHeld ? t("error.legal_hold") : t("error.object_locked");
  const time = formatDateTime(Date.parse(until));
  return isHeld ? t("error.locked_and_held", { time }) : t("error.locked_until", { time });
}

/**
 * Both of {@link errorWords}, where there is but a line of text for them.
 * @param {Parameters<typeof errorWords>[0]} error
 */
export function errorText(error) {
  const { text, said } = errorWords(error);
  return said === "" ? text : `${text} ${said}`;
}

/**
 * Both of {@link errorWords}, what the server says dimmed.
 * @param {{ error: Parameters<typeof errorWords>[0] }} props
 */
export function ErrorWords({ error }) {
  const { text, said } = errorWords(error);
  return html`${text}${said && html`${" "}<span class="faint" lang="en">${said}</span>`}`;
}
