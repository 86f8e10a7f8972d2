// @ts-check
/// <reference lib="dom" />
import { withBase } from "./base.js";
import { readBootData } from "./boot_data.js";
import { t } from "./i18n.js";
import { RestartWait } from "./restart.js";
import { Scheduler } from "./scheduler.js";

/** An answer of the API that is not a success, or none at all (`status` 0, code `network`). */
export class ApiError extends Error {
  /**
   * @param {{ status: number, code: string, text: string, said?: string, detail?: any, requestId?: string,
   *   retryAfter?: number }} facts `text` for people, `said` by the server besides, in English
   */
  constructor({ status, code, text, said = "", detail, requestId = "", retryAfter = 0 }) {
    super(said === "" ? text : `${text} ${said}`);
    this.name = "ApiError";
    /** The sentence for people alone; the message has both. */
    this.text = text;
    this.status = status;
    this.code = code;
    /** What the server says besides, in English: a detail. */
    this.said = said;
    this.detail = detail;
    this.requestId = requestId;
    /** Seconds to wait, 0 when the server did not say. */
    this.retryAfter = retryAfter;
  }
}

/**
 * @typedef {object} RequestOptions
 * @property {Record<string, string | number | boolean | null | undefined>} [query] values that are missing or empty are left out
 * @property {unknown} [json] sent as the JSON body
 * @property {BodyInit} [body] sent as it is, in place of `json`
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} [signal]
 * @property {import("./scheduler.js").Priority} [priority] `user` unless given
 * @property {boolean} [background] a poll: it does not keep the session alive
 */

/** One scheduler for the page: everything that asks the API goes through it, uploads included. */
export const scheduler = new Scheduler();

/** The limit on a session's requests is waited out without a word up to so many milliseconds, and so many times. */
const maxSilentWait = 5000;
const maxSilentWaits = 8;

/**
 * Why nobody may go on with the page: its session has ended, or it is somebody else who is signed in with this browser now.
 * @typedef {"ended" | "replaced"} SignInNeed
 */

/** @type {((need: SignInNeed) => Promise<void>) | null} */
let signInAgain = null;

/** @type {Promise<void> | null} */
let signingIn = null;

/** The token of the session that was last seen to be that of the page's user. */
let seenToken = "";

/** Who is signed in, while that is asked, by the token it is asked for. @type {Map<string, Promise<{ id: string }>>} */
const questions = new Map();

/**
 * Sets what asks the user to sign in when a session has ended; requests wait for it and are sent again.
 * @param {(need: SignInNeed) => Promise<void>} ask resolves once the same user is signed in
 */
export function onSessionEnd(ask) {
  signInAgain = ask;
}

/**
 * Asks for the password in place, once for all requests that wait, and resolves when the session is there again.
 * Rejects when the user gives up.
 * @param {SignInNeed} [need]
 */
export async function renewSession(need = "ended") {
  if (signInAgain === null) {
    throw sessionEnded();
  }
  signingIn ??= signInAgain(need).finally(() => signingIn = null);
  await signingIn;
}

/** The token of the session that is there now. Read anew each time: it changes when somebody signs in. */
function csrfToken() {
  return /(?:^|;\s*)service_csrf=([^;]*)/.exec(document.cookie)?.[1] ?? "";
}

/**
 * The token that the mutations of this page carry. Each session has one of its own, and the server refuses a request with
 * another one than that: what was begun here is never done under the name of somebody who has signed in meanwhile in another
 * tab. `null` when it is somebody else who is signed in. Rejects when that cannot be found out.
 * @param {Pick<RequestOptions, "background" | "signal">} [options] of the request that asks who it is
 * @returns {Promise<string | null>}
 */
export async function ownToken(options = {}) {
  for (;;) {
    const token = csrfToken();
    if (token !== "" && token === seenToken) return token;
    const { me } = readBootData();
    if (me === null) return token;
    const { id } = await whoIs(token, options);
    if (id !== me.id) return null;
    // The answer brings the token of its session, and so do late ones of an earlier session.
    if (csrfToken() === token) return seenToken = token;
  }
}

/**
 * Asks who is signed in, once for all who want to know at the same time: a signal ends the wait of its own caller alone.
 * @param {string} token
 * @param {Pick<RequestOptions, "background" | "signal">} options
 */
function whoIs(token, { background = false, signal }) {
  const name = `${background} ${token}`;
  const asked = questions.get(name) ??
    request("GET", "/api/me", { background }).finally(() => questions.delete(name));
  questions.set(name, asked);
  /** @type {Promise<never>} */
  const aborted = new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  return Promise.race([asked, aborted]);
}

/** The server has refused the token: the next one is looked at anew. */
export function forgetToken() {
  seenToken = "";
}

/**
 * Asks the API and returns the parsed answer (`null` without a body). Throws {@link ApiError}, or the signal's
 * `AbortError`. Mutations carry the token of their user's session and are sent once more when it was out of date, unless
 * `headers` has one; while that session has ended, or is somebody else's, the request is held until the user has signed in
 * again; the limit on the session's requests is waited out while that is short, and by a `GET` a restart too.
 * @param {string} method
 * @param {string} path
 * @param {RequestOptions} [options]
 * @returns {Promise<any>}
 */
export async function request(method, path, options = {}) {
  const response = await send(method, path, options);
  if (response.status === 204) return null;
  const text = await response.text();
  return text === "" ? null : JSON.parse(text);
}

/**
 * As {@link request}, but returns the `Response` of a success with its body unread.
 * @param {string} method
 * @param {string} path
 * @param {RequestOptions} [options]
 */
export async function send(method, path, options = {}) {
  let refusals = 0;
  let waits = 0;
  const { signal, background, priority = "user" } = options;
  const isOwn = method !== "GET" && method !== "HEAD" && !options.headers?.["x-csrf-token"];
  const restart = new RestartWait(method === "GET" && !background);
  try {
    for (;;) {
      await scheduler.slot(priority, signal);
      const token = isOwn ? await ownToken({ signal, background }) : "";
      if (token === null) {
        await renewSession("replaced");
        continue;
      }
      const { response, error } = await attempt(method, path, options, token);
      if (response !== null) return response;
      if (await restart.wait(error, signal)) continue;
      const { code, detail } = error;
      const ended = code === "unauthorized";
      const wait = detail?.wait_ms ?? 0;
      if (wait > 0) scheduler.pause(Math.min(wait, maxSilentWait));
      // What keeps itself up to date comes again by itself.
      const isPoll = background && priority === "prefetch";
      if (code === "csrf_invalid" && isOwn && refusals < 2) {
        forgetToken();
        if (refusals++ > 0 && !background) await renewSession();
      } else if (ended && !background) {
        await renewSession();
      } else if (wait === 0 || wait > maxSilentWait || isPoll || waits++ === maxSilentWaits) {
        if (ended) dispatchEvent(new Event("session-lost"));
        throw error;
      }
    }
  } finally {
    restart.end();
  }
}

/**
 * Sends a request once.
 * @param {string} method
 * @param {string} path
 * @param {RequestOptions} options
 * @param {string} token the CSRF token; empty for none
 * @returns {Promise<{ response: Response, error: null } | { response: null, error: ApiError }>}
 */
async function attempt(method, path, { query, json, body, headers = {}, signal, background }, token) {
  /** @type {Record<string, string>} */
  const sent = { accept: "application/json", ...headers };
  if (token !== "") sent["x-csrf-token"] = token;
  if (json !== undefined) sent["content-type"] = "application/json";
  if (background) sent["x-background"] = "1";
  try {
    const response = await fetch(withBase(withQuery(path, query)), {
      method,
      headers: sent,
      body: json === undefined ? body : JSON.stringify(json),
      signal,
    });
    if (response.ok) return { response, error: null };
    const error = await toError(response);
    if (error.status !== 0) return { response: null, error };
    signal?.throwIfAborted();
  } catch (error) {
    if (signal?.aborted) throw error;
  }
  dispatchEvent(new Event("no-answer"));
  return { response: null, error: noAnswer() };
}

/**
 * A path with a query string.
 * @param {string} path
 * @param {RequestOptions["query"]} [query]
 */
export function withQuery(path, query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

/** What a proxy answers for a server that is not there, or takes too long. */
const proxyStatuses = [502, 503, 504];

/**
 * The error an answer stands for, whatever its body is.
 * @param {Response} response
 */
export async function toError(response) {
  const facts = {
    status: response.status,
    code: response.status >= 500 ? "internal" : "bad_request",
    message: t("error.answered", { status: String(response.status) }),
    requestId: response.headers.get("x-request-id") ?? "",
    retryAfter: Number(response.headers.get("retry-after")) || 0,
  };
  try {
    const { error } = await response.json();
    Object.assign(facts, error);
    if (error.detail?.wait_ms) facts.retryAfter = Math.ceil(error.detail.wait_ms / 1000);
  } catch {
    // It is not the API that answered.
    if (proxyStatuses.includes(facts.status)) return noAnswer();
  }
  return await apiError(facts);
}

/**
 * An error of the API, in words of the page's language.
 * @param {{ status: number, code: string, message: string }} facts and more of {@link ApiError}
 */
export async function apiError(facts) {
  // Where the words cannot be had, the server's do.
  const words = import("./error_texts.js").then(({ errorWords }) => errorWords(facts), () => null);
  return new ApiError({ ...facts, ...await words ?? { text: facts.message } });
}

/** No answer at all: told without asking the server for words. */
export function noAnswer() {
  return new ApiError({ status: 0, code: "network", text: t("error.network") });
}

/** The session has ended, and nobody signs in again. */
export function sessionEnded() {
  return new ApiError({ status: 401, code: "unauthorized", text: t("error.unauthorized") });
}
