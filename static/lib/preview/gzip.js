// @ts-check

/**
 * Unpacks the beginning of a gzip stream. What it would become as a whole does not matter: reading ends at the limit.
 *
 * @param {Uint8Array<ArrayBuffer>} packed the stream's beginning, or all of it
 * @param {number} limit bytes
 * @returns {Promise<{ bytes: Uint8Array<ArrayBuffer>, complete: boolean } | null>} `null` for bytes that are no such stream
 */
export async function unpackedHead(packed, limit) {
  const bytes = new Uint8Array(limit);
  let length = 0;
  let complete = false;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    while (length < limit) {
      const { done, value } = await reader.read();
      complete = done;
      if (done) break;
      const part = value.subarray(0, limit - length);
      bytes.set(part, length);
      length += part.length;
    }
  } catch {
    // Where what was read of a longer stream ends, it is cut off.
    if (length === 0) return null;
  }
  await reader.cancel().catch(() => {});
  return { bytes: bytes.slice(0, length), complete };
}
