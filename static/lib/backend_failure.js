// @ts-check
import { html } from "./html.js";
import { t } from "./i18n.js";

/** @import { MessageKey } from "./i18n.js" */

/**
 * Cause and fix of a request to a backend that failed, by the reason that the API gives.
 * @type {Readonly<Record<string, MessageKey>>}
 */
const causes = {
  name_not_resolved: "backends.reason_name_not_resolved",
  connection_refused: "backends.reason_connection_refused",
  unreachable: "backends.reason_unreachable",
  connect_timeout: "backends.reason_connect_timeout",
  connection_lost: "backends.reason_connection_lost",
  tls: "backends.reason_tls",
  access_key_unknown: "backends.reason_access_key_unknown",
  signature: "backends.reason_signature",
  region: "backends.reason_region",
  expired: "backends.reason_expired",
  clock: "backends.reason_clock",
  secret_key: "backends.reason_secret_key",
  access_denied: "backends.reason_access_denied",
  timeout: "backends.reason_timeout",
  not_s3: "backends.reason_not_s3",
  redirect: "backends.reason_redirect",
  refused: "backends.reason_refused",
};

/** Reasons about which the server's own words, in English, tell nothing more. */
const told = new Set([
  "name_not_resolved",
  "connection_refused",
  "unreachable",
  "connect_timeout",
  "timeout",
]);

/**
 * Why a request to a backend failed and what to do, in the reader's language; empty where only the server can tell.
 * @param {string | null | undefined} reason
 */
export function causeText(reason) {
  const key = causes[reason ?? ""];
  return key === undefined ? "" : t(key);
}

/**
 * As {@link causeText}, and what the server says besides where that tells more. Nothing where only the server can tell.
 * @param {string | null | undefined} reason
 * @param {string} message as the server says it
 * @returns {{ text: string, said: string } | null}
 */
export function causeWords(reason, message) {
  const text = causeText(reason);
  return text === "" ? null : { text, said: told.has(reason ?? "") ? "" : message };
}

/**
 * Why a request to a backend failed: the cause in the reader's language, and the server's own words beside it where
 * they tell more.
 * @param {{ reason?: string | null, error?: string | null }} props
 */
export function BackendFailure({ reason, error }) {
  const words = causeWords(reason, error ?? "");
  if (words === null) return html`<span class="break" lang="en">${error}</span>`;
  const { text, said } = words;
  if (said === "") return html`<span class="break">${text}</span>`;
  return html`<span class="break">${text} <span class="muted" lang="en">${said}</span></span>`;
}
