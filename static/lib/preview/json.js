// @ts-check

/**
 * JSON laid out with an indent of two. Works on the text and not on parsed values, so that long numbers keep their
 * digits, repeated names stay, and the head of a longer document is laid out too. Other text comes back much as it was.
 *
 * @param {string} text
 */
export function indentedJson(text) {
  const tokens = text.match(/"(?:[^"\\]|\\[^])*"?|[{}[\],:]|[^\s"{}[\],:]+/g) ?? [];
  /** @type {string[]} */
  const parts = [];
  let depth = 0;
  tokens.forEach((token, index) => {
    const before = tokens[index - 1];
    if (token === "}" || token === "]") {
      depth = Math.max(0, depth - 1);
      if (before !== "{" && before !== "[") parts.push(newLine(depth));
    } else if (before === "{" || before === "[" || before === ",") {
      parts.push(newLine(depth));
    }
    parts.push(token === ":" ? ": " : token);
    if (token === "{" || token === "[") depth++;
    if (depth === 0 && /^[}\]]$/.test(token) && index + 1 < tokens.length) parts.push("\n");
  });
  return parts.join("");
}

/** @param {number} depth */
function newLine(depth) {
  return "\n" + "  ".repeat(Math.min(depth, 40));
}
