// @ts-check
/// <reference lib="dom" />
import { send } from "../api.js";

/**
 * Reads the beginning of an object.
 *
 * @param {string} url
 * @param {{ size: number, limit: number, signal: AbortSignal }} options `size` of the object and `limit` in bytes
 * @returns {Promise<{ bytes: Uint8Array<ArrayBuffer>, complete: boolean }>}
 */
export async function readHead(url, { size, limit, signal }) {
  if (size === 0) return { bytes: new Uint8Array(), complete: true };
  const response = await send("GET", url, {
    headers: size > limit ? { range: `bytes=0-${limit - 1}` } : {},
    priority: "visible",
    signal,
  });
  const bytes = await readUpTo(response, limit);
  return { bytes, complete: size <= limit };
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
  for await (const chunk of response.body ?? []) {
    const part = chunk.subarray(0, limit - length);
    bytes.set(part, length);
    length += part.length;
    if (length === limit) break;
  }
  return bytes.slice(0, length);
}
