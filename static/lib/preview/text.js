// @ts-check

/**
 * Bytes as text: UTF-16 when they begin with its byte order mark, else UTF-8. A character cut in two by the end of
 * what was read is left out.
 *
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {boolean} complete whether the bytes are the whole object
 * @returns {string | null} `null` when the bytes hold a NUL and so are not text
 */
export function textOf(bytes, complete) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return new TextDecoder("utf-16le").decode(bytes, { stream: !complete });
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return new TextDecoder("utf-16be").decode(bytes, { stream: !complete });
  }
  if (bytes.subarray(0, 8192).includes(0)) return null;
  return new TextDecoder().decode(bytes, { stream: !complete });
}
