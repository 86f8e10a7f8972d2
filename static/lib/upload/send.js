// @ts-check
/// <reference lib="dom" />
import { withBase } from "../base.js";

/** @import { Outcome } from "./retry.js" */

/**
 * Sends content as a raw body. `XMLHttpRequest` and not `fetch`: only it tells how much has been sent.
 *
 * @param {"POST" | "PUT"} method
 * @param {string} url
 * @param {Blob} content
 * @param {object} options
 * @param {Record<string, string>} options.headers
 * @param {AbortSignal} options.signal
 * @param {(sent: number) => void} options.onProgress bytes
 * @returns {Promise<Outcome & { answer?: any }>} with the answer's JSON; never rejects: no answer is status 0
 */
export function sendContent(method, url, content, { headers, signal, onProgress }) {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ status: 0 });
    const request = new XMLHttpRequest();
    const onAbort = () => request.abort();
    const end = (/** @type {Outcome & { answer?: any }} */ outcome) => {
      signal.removeEventListener("abort", onAbort);
      resolve(outcome);
    };
    request.open(method, withBase(url));
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => onProgress(event.loaded);
    request.onload = () => end(outcomeOf(request));
    request.onerror = () => end({ status: 0 });
    request.onabort = () => end({ status: 0 });
    signal.addEventListener("abort", onAbort, { once: true });
    request.send(content);
  });
}

/**
 * @param {XMLHttpRequest} request
 * @returns {Outcome & { answer?: any }}
 */
function outcomeOf(request) {
  const answer = parsed(request.responseText);
  const error = answer?.error;
  const wait = error?.detail?.wait_ms;
  const retryAfter = wait ? wait / 1000 : Number(request.getResponseHeader("retry-after")) || undefined;
  const facts = error
    ? { code: String(error.code), message: String(error.message), detail: error.detail }
    : { answer };
  return { status: request.status, retryAfter, wait, ...facts };
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
