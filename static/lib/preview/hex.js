// @ts-check

/** Bytes on a line: what fits into the details, and on a phone. */
const width = 8;

/**
 * Bytes as lines of a hex view: offset, eight bytes, and what of them is printable ASCII.
 *
 * @param {Uint8Array} bytes up to 64 KiB
 * @returns {string}
 */
export function hexLines(bytes) {
  const lines = [];
  for (let offset = 0; offset < bytes.length; offset += width) {
    const part = bytes.subarray(offset, offset + width);
    const hex = Array.from(part, (byte) => byte.toString(16).padStart(2, "0"));
    const text = Array.from(part, (byte) => byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".");
    lines.push(`${offset.toString(16).padStart(4, "0")}  ${hex.join(" ").padEnd(23)}  ${text.join("")}`);
  }
  return lines.join("\n");
}
