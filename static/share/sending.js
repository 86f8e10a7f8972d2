// @ts-check
/// <reference lib="dom" />

/**
 * How one try to send a file ended.
 * @typedef {object} Outcome
 * @property {number} status 0 without an answer
 * @property {string} code of the problem; empty for none
 * @property {number} retryAfter seconds, 0 when the server says none
 */

/**
 * Problems that no further try helps against, with the name of their words.
 * @type {Readonly<Record<string, string>>}
 */
const reasons = {
  too_large: "tooLarge",
  invalid_key: "badName",
  quota_exceeded: "full",
  exhausted: "usedUp",
  expired: "over",
  revoked: "over",
  not_found: "over",
};

/** Whether a try that ended so may go better the next time. @param {Outcome} outcome */
export function mayPass({ status }) {
  return status === 0 || status === 409 || (status >= 502 && status <= 504);
}

/** Whether what kept a file from arriving keeps every other from it, too. @param {Outcome} outcome */
export function endsAll({ code }) {
  return reasons[code] === "over" || reasons[code] === "usedUp";
}

/** The name of the words for why a file did not arrive. @param {Outcome} outcome */
export function wordsFor({ status, code }) {
  return reasons[code] ?? (status === 0 ? "offline" : "failed");
}

/**
 * Sends a file. The request is returned so that it can be broken off, which calls nothing any more.
 * @param {string} url
 * @param {import("./row.js").Found} found
 * @param {{ onProgress: (bytes: number) => void, onEnd: (outcome: Outcome) => void }} listeners
 * @returns {XMLHttpRequest}
 */
export function sendFile(url, { file, folder }, { onProgress, onEnd }) {
  const request = new XMLHttpRequest();
  let aborted = false;
  request.upload.onprogress = ({ loaded }) => onProgress(loaded);
  request.onabort = () => aborted = true;
  request.onloadend = () => {
    if (aborted) return;
    const { status } = request;
    onEnd({ status, code: codeOf(request), retryAfter: Number(request.getResponseHeader("retry-after")) });
  };
  const query = new URLSearchParams({ name: file.name.toWellFormed() });
  if (folder !== "") query.set("folder", folder.toWellFormed());
  request.open("POST", `${url}?${query}`);
  request.setRequestHeader("accept", "application/json");
  request.setRequestHeader("content-type", "application/octet-stream");
  request.send(file);
  return request;
}

/** @param {XMLHttpRequest} request */
function codeOf({ responseText }) {
  try {
    return JSON.parse(responseText).error?.code ?? "";
  } catch {
    return "";
  }
}
