// @ts-check

/** What text that is not UTF-8 may be written in; the first is the likeliest. */
export const legacyEncodings = /** @type {const} */ (["windows-1252", "shift_jis", "gb18030", "euc-kr"]);

/**
 * Bytes as text: UTF-16 when they begin with its byte order mark, else UTF-8, else what `legacy` says. A character cut in
 * two by the end of what was read is left out.
 *
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {boolean} complete whether the bytes are the whole object
 * @param {typeof legacyEncodings[number]} [legacy]
 * @returns {{ text: string, legacy: boolean } | null} `null` when the bytes hold a NUL and so are not text
 */
export function textOf(bytes, complete, legacy = legacyEncodings[0]) {
  const decode = (/** @type {string} */ encoding, fatal = false) =>
    new TextDecoder(encoding, { fatal }).decode(bytes, { stream: !complete });
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: decode("utf-16le"), legacy: false };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: decode("utf-16be"), legacy: false };
  if (bytes.subarray(0, 8192).includes(0)) return null;
  try {
    return { text: decode("utf-8", true), legacy: false };
  } catch {
    return { text: decode(legacy), legacy: true };
  }
}

/**
 * Whether bytes of which nothing else is known are text beyond doubt: UTF-8 without control characters but those that texts
 * and terminals have. A character cut in two by the end of what was read is none that counts.
 *
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {boolean} complete whether the bytes are the whole object
 */
export function isPlainText(bytes, complete) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !complete });
    // deno-lint-ignore no-control-regex -- these are what is looked for
    return !/[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]/.test(text);
  } catch {
    return false;
  }
}
