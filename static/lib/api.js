// @ts-check
/// <reference lib="dom" />
import { errorText } from "./i18n.js";
import { RestartWait } from "./restart.js";
import { Scheduler } from "./scheduler.js";

/** An answer of the API that is not a success, or none at all (`status` 0, code `network`). */
export class ApiError extends Error {
  /**
   * @param {{ status: number, code: string, message: string, detail?: any, requestId?: string, retryAfter?: number }} facts
   */
  constructor({ status, code, message, detail, requestId = "", retryAfter = 0 }) {
    super(errorText({ code, message }));
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    /** The server's own words. */
    this.serverMessage = message;
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

/** A 429 with a wait up to this many seconds is waited out without a word. */
const maxSilentWait = 5;

/** @type {(() => Promise<void>) | null} */
let signInAgain = null;

/** @type {Promise<void> | null} */
let signingIn = null;

/**
 * Sets what asks the user to sign in when a session has ended; requests wait for it and are sent again.
 * @param {() => Promise<void>} ask resolves once the same user is signed in
 */
export function onSessionEnd(ask) {
  signInAgain = ask;
}

/**
 * Asks for the password in place, once for all requests that wait, and resolves when the session is there again.
 * Rejects when the user gives up.
 */
export async function renewSession() {
  if (signInAgain === null) {
    throw new ApiError({ status: 401, code: "unauthorized", message: "Sign in to go on." });
  }
  signingIn ??= signInAgain().finally(() => signingIn = null);
  await signingIn;
}

/** The token a mutation carries. Read anew each time: it changes when the user signs in again. */
export function csrfToken() {
  return /(?:^|;\s*)service_csrf=([^;]*)/.exec(document.cookie)?.[1] ?? "";
}

/**
 * Asks the API and returns the parsed answer (`null` without a body). Throws {@link ApiError}, or the signal's
 * `AbortError`. Mutations carry the CSRF token and are sent once more when it was out of date; an ended session holds
 * the request until the user has signed in again; a short rate limit is waited out, and by a `GET` a restart too.
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
  let csrfRetried = false;
  const restart = new RestartWait(method === "GET" && !options.background);
  try {
    for (;;) {
      await scheduler.slot(options.priority ?? "user", options.signal);
      const { response, error } = await attempt(method, path, options);
      if (response !== null) return response;
      if (await restart.wait(error, options.signal)) continue;
      if (error.code === "csrf_invalid" && !csrfRetried) {
        csrfRetried = true;
        await fetch("/api/me", { headers: { "x-background": "1" }, signal: options.signal });
      } else if (error.status === 401 && error.code === "unauthorized" && !options.background) {
        await renewSession();
      } else if (error.code === "rate_limited" && 0 < error.retryAfter && error.retryAfter <= maxSilentWait) {
        scheduler.pause(error.retryAfter * 1000);
      } else {
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
 * @returns {Promise<{ response: Response, error: null } | { response: null, error: ApiError }>}
 */
async function attempt(method, path, { query, json, body, headers = {}, signal, background }) {
  /** @type {Record<string, string>} */
  const sent = { accept: "application/json", ...headers };
  if (method !== "GET" && method !== "HEAD") sent["x-csrf-token"] = csrfToken();
  if (json !== undefined) sent["content-type"] = "application/json";
  if (background) sent["x-background"] = "1";
  try {
    const response = await fetch(withQuery(path, query), {
      method,
      headers: sent,
      body: json === undefined ? body : JSON.stringify(json),
      signal,
    });
    return response.ok ? { response, error: null } : { response: null, error: await toError(response) };
  } catch (error) {
    if (signal?.aborted) throw error;
    return {
      response: null,
      error: new ApiError({ status: 0, code: "network", message: "The server cannot be reached." }),
    };
  }
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

/**
 * The error an answer stands for, whatever its body is.
 * @param {Response} response
 */
export async function toError(response) {
  const facts = {
    status: response.status,
    code: response.status >= 500 ? "internal" : "bad_request",
    message: `The server answered ${response.status}.`,
    requestId: response.headers.get("x-request-id") ?? "",
    retryAfter: Number(response.headers.get("retry-after")) || 0,
  };
  try {
    const { error } = await response.json();
    return new ApiError({ ...facts, code: error.code, message: error.message, detail: error.detail });
  } catch {
    return new ApiError(facts);
  }
}

/**
 * Calls `poll` every `interval` milliseconds while the page is visible and someone uses it: a forgotten tab must not ask
 * for ever. Returns a function that stops it.
 * @param {() => Promise<unknown>} poll its requests should be `background`; a rejection is left to the next round
 * @param {number} interval
 */
export function pollWhileVisible(poll, interval) {
  const maxIdle = 5 * 60_000;
  let lastInput = performance.now();
  let running = false;
  const noteInput = () => lastInput = performance.now();
  const run = async () => {
    if (running || document.hidden || performance.now() - lastInput > maxIdle) return;
    running = true;
    await poll().catch(() => {});
    running = false;
  };
  const onVisible = () => {
    if (document.hidden) return;
    noteInput();
    run();
  };
  const inputs = ["pointerdown", "pointermove", "keydown", "wheel"];
  for (const type of inputs) addEventListener(type, noteInput, { passive: true });
  document.addEventListener("visibilitychange", onVisible);
  const timer = setInterval(run, interval);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onVisible);
    for (const type of inputs) removeEventListener(type, noteInput);
  };
}
