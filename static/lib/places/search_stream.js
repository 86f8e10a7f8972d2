// @ts-check
/// <reference lib="dom" />
import { send } from "../api.js";

/** @import { SearchScope } from "./search_scope.js" */

/** @typedef {{ backend_id: string, bucket: string }} FoundBucket */

/** @typedef {{ backend_id: string, bucket: string, key: string, size: number, last_modified: string }} FoundObject */

/**
 * What one backend has, as soon as it has answered.
 *
 * @typedef {object} SearchAnswer
 * @property {FoundBucket[]} buckets
 * @property {FoundObject[]} objects
 * @property {boolean} truncated
 * @property {{ backend_id: string, code: string, detail?: any }[]} [errors]
 */

/** Most buckets and most objects that are asked for. */
const limit = 100;

/**
 * Searches by the API, in the folder where the scope has one, and gives the answer of each backend as it comes. Rejects with an `ApiError`, or the signal's reason.
 *
 * @param {string} query not empty
 * @param {SearchScope} scope
 * @param {AbortSignal} signal
 * @param {(answer: SearchAnswer) => void} onAnswer
 */
export async function streamSearch(query, { backend, bucket, prefix }, signal, onAnswer) {
  const { body } = await send("GET", "/api/search", {
    query: { q: query, limit, backend, bucket, prefix: prefix || undefined },
    headers: { accept: "application/x-ndjson" },
    signal,
  });
  if (body === null) return;
  let rest = "";
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value = "" } = await reader.read();
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onAnswer(JSON.parse(line));
    if (done) return;
  }
}
