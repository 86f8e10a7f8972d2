// @ts-check
/// <reference lib="dom" />
import { CopyButton } from "../lib/copy_button.js";
import { formatDuration } from "../lib/format.js";
import { errorWords } from "../lib/error_texts.js";
import { rich, t } from "../lib/i18n.js";
import { html, Icon } from "../lib/ui.js";

/**
 * What went wrong in place of a page.
 * @typedef {object} PageError
 * @property {number} status of the answer, 0 when there was none
 * @property {string} code of the API
 * @property {string} message the server's own words
 * @property {string} [cause] what made the refusal, for those that have several causes
 * @property {string} path of the page, with its query
 * @property {number} retryAfter seconds to wait, 0 when the server did not say
 * @property {string} requestId empty without an answer
 */

/** @typedef {{ icon: string, title: string, text: string, said?: string, again?: boolean }} Words */

/**
 * An error in place of a page: what happened, what to do next, and the request id.
 * @param {PageError & { me: import("../lib/boot_data.js").Me | null }} props
 */
export function Island(props) {
  const { status, path, retryAfter, requestId, me } = props;
  const { icon, title, text, said, again } = wordsFor(props);
  const kind = again ? "" : "button-primary";
  return html`
    <div class="error-page">
      <span class="empty-icon"><${Icon} name=${icon} /></span>
      ${status > 0 && html`<p class="error-status number">${status}</p>`}
      <h1>${title}</h1>
      <p class="muted">${text}</p>
      ${said && html`<p class="faint" lang="en">${said}</p>`}
      ${again && retryAfter > 0 && html`
        <p class="muted">${t("errors.wait", { time: formatDuration(retryAfter) })}</p>
      `}
      <p class="row">
        ${again && html`<a class="button button-primary" href=${ownAddress(path)}>
          <${Icon} name="refresh" />${t("common.retry")}</a>`}
        ${me === null
          ? html`<a class="button ${kind}" href="/login">${t("errors.to_sign_in")}</a>`
          : html`<a class="button ${kind}" href="/">${t("errors.to_overview")}</a>`}
      </p>
      ${requestId && html`
        <p class="error-id faint mono">
          <span>${rich("common.request_id", { id: requestId })}</span>
          <${CopyButton} text=${requestId} label=${t("errors.copy_request_id")} />
        </p>
      `}
    </div>
  `;
}

/**
 * An address of this service: a path that begins with two slashes would be another host's.
 * @param {string} path
 */
function ownAddress(path) {
  return path.startsWith("//") ? "/" : path;
}

/**
 * The title of an error's page.
 * @param {PageError} error
 */
export function errorTitle(error) {
  return wordsFor(error).title;
}

/** Pages of a backend and of what is in it: what they do not find is the backend. */
const backendPage = /^\/b\/[^/?]+(?:\/[^/?]*)?(?:\?|$)/;

/**
 * @param {PageError} error
 * @returns {Words}
 */
function wordsFor({ status, code, message, cause, path }) {
  const words = errorWords({ code, message, detail: { reason: cause } });
  switch (status) {
    case 0:
      return { icon: "offline", title: t("errors.no_answer"), text: t("errors.no_answer_text"), again: true };
    case 403:
      return code === "mode_disabled" || cause === "no_role"
        ? { icon: "lock", title: t("errors.no_sign_in"), text: cause ? t("errors.no_role_text") : words.text }
        : { icon: "lock", title: t("errors.forbidden"), text: t("errors.forbidden_text") };
    case 404:
      return backendPage.test(path)
        ? { icon: "server", title: t("errors.no_backend"), text: t("errors.no_backend_text") }
        : { icon: "search", title: t("errors.not_found"), text: t("errors.not_found_text") };
    case 429:
      return { icon: "clock", title: t("errors.too_many"), text: t("errors.too_many_text"), again: true };
    case 500:
      return { icon: "alert", title: t("errors.internal"), text: t("errors.internal_text"), again: true };
    case 502:
    case 504:
      return { icon: "plug", title: t("errors.no_backend_answer"), ...words, again: true };
    case 503:
      return code === "shutting_down"
        ? { icon: "refresh", title: t("errors.restarting"), text: t("errors.restarting_text"), again: true }
        : { icon: "plug", title: t("errors.unavailable"), ...words, again: true };
    default:
      return { icon: "alert", title: t("errors.other"), ...words };
  }
}
