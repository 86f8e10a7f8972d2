// @ts-check
/// <reference lib="dom" />

/** @import { Outcome } from "./retry.js" */

/**
 * Sends a file as a raw body. `XMLHttpRequest` and not `fetch`: only it tells how much has been sent.
 *
 * @param {string} url
 * @param {Blob} file
 * @param {object} options
 * @param {Record<string, string>} options.headers
 * @param {AbortSignal} options.signal
 * @param {(sent: number) => void} options.onProgress bytes
 * @returns {Promise<Outcome>} never rejects: no answer is status 0
 */
export function sendFile(url, file, { headers, signal, onProgress }) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => onProgress(event.loaded);
    request.onload = () => resolve(outcomeOf(request));
    request.onerror = () => resolve({ status: 0 });
    request.onabort = () => resolve({ status: 0 });
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

/**
 * @param {XMLHttpRequest} request
 * @returns {Outcome}
 */
function outcomeOf(request) {
  const retryAfter = Number(request.getResponseHeader("retry-after")) || undefined;
  return { status: request.status, retryAfter, ...errorOf(request.responseText) };
}

/** @param {string} text */
function errorOf(text) {
  try {
    const { error } = JSON.parse(text);
    return error ? { code: String(error.code), message: String(error.message) } : {};
  } catch {
    return {};
  }
}
