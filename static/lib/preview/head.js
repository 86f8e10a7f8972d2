// @ts-check
/// <reference lib="dom" />
import { send } from "../api.js";
import { t } from "../i18n.js";

/** @import { PreviewKind } from "./kind.js" */

/** Bytes of a text that are read at once, and of anything else that are shown. */
export const textStep = 1024 * 1024;
export const hexLimit = 4096;

/** Milliseconds for which what was read ahead counts. */
const freshFor = 30_000;

/**
 * What was read ahead: of one object at a time, as it was when it had that ETag.
 * @type {{ url: string, etag: string, limit: number, bytes: Uint8Array<ArrayBuffer>, at: number } | null}
 */
let ahead = null;

/**
 * The bytes that are read of an object to show it.
 * @param {PreviewKind} kind
 */
export function headLimit(kind) {
  return kind === "hex" ? hexLimit : textStep;
}

/**
 * Reads the beginning of an object, unless it was read ahead and is still the same by its ETag, where one is given.
 *
 * @param {string} url
 * @param {{ size: number, etag?: string, limit: number, signal: AbortSignal }} options `size` of the object and `limit` in
 *   bytes
 * @returns {Promise<{ bytes: Uint8Array<ArrayBuffer>, complete: boolean }>}
 */
export async function readHead(url, { size, etag, limit, signal }) {
  if (size === 0) return { bytes: new Uint8Array(), complete: true };
  const complete = size <= limit;
  const isSame = ahead?.url === url && ahead.etag === etag && ahead.limit === limit;
  if (ahead !== null && isSame && Date.now() - ahead.at < freshFor) return { bytes: ahead.bytes, complete };
  return { bytes: await fetchHead(url, { size, limit, signal, priority: "visible" }), complete };
}

/**
 * Reads the beginning of an object that is likely shown next.
 *
 * @param {string} url
 * @param {{ size: number, etag: string, limit: number, signal: AbortSignal }} options as of {@link readHead}
 */
export async function readHeadAhead(url, { size, etag, limit, signal }) {
  if (size === 0) return;
  const bytes = await fetchHead(url, { size, limit, signal, priority: "prefetch", background: true });
  ahead = { url, etag, limit, bytes, at: Date.now() };
}

/** Forgets what was read ahead: an object has been replaced. */
export function forgetHeadAhead() {
  ahead = null;
}

/**
 * @param {string} url
 * @param {{ size: number, limit: number } & Pick<import("../api.js").RequestOptions, "signal" | "priority" | "background">}
 *   options
 */
async function fetchHead(url, { size, limit, ...options }) {
  const headers = size <= limit ? undefined : { range: `bytes=0-${limit - 1}` };
  return await readUpTo(await send("GET", url, { headers, ...options }), limit);
}

/**
 * Reads a part of an object.
 *
 * @param {string} url
 * @param {{ from: number, to: number, signal: AbortSignal }} options bytes `from` up to but not including `to`
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function readRange(url, { from, to, signal }) {
  const response = await send("GET", url, {
    headers: { range: `bytes=${from}-${to - 1}` },
    priority: "visible",
    signal,
  });
  // A server that knows no ranges sends it all: the part would not be the one that was asked for.
  if (response.status !== 206 && from > 0) throw new Error(t("preview.no_ranges"));
  return await readUpTo(response, to - from);
}

/**
 * Reads at most `limit` bytes of a body, also where the server sends more than was asked for.
 *
 * @param {Response} response
 * @param {number} limit
 */
async function readUpTo(response, limit) {
  const bytes = new Uint8Array(limit);
  let length = 0;
  // Safari cannot iterate over a stream.
  const reader = response.body?.getReader();
  while (reader !== undefined && length < limit) {
    const { done, value } = await reader.read();
    if (done) break;
    const part = value.subarray(0, limit - length);
    bytes.set(part, length);
    length += part.length;
  }
  await reader?.cancel().catch(() => {});
  return bytes.slice(0, length);
}
