// @ts-check

/** Bytes on a line. */
const width = 16;

/**
 * Bytes as lines of a hex view: offset, sixteen bytes, and what of them is printable ASCII.
 *
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function hexLines(bytes) {
  const lines = [];
  for (let offset = 0; offset < bytes.length; offset += width) {
    const part = bytes.subarray(offset, offset + width);
    const hex = Array.from(
      part,
      (byte, index) => (index === 8 ? " " : "") + byte.toString(16).padStart(2, "0"),
    );
    const text = Array.from(part, (byte) => byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".");
    lines.push(`${offset.toString(16).padStart(8, "0")}  ${hex.join(" ").padEnd(48)}  ${text.join("")}`);
  }
  return lines.join("\n");
}
