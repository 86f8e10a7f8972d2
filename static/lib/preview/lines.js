// @ts-check

/** Lines whose numbers are drawn: more of them would only make the view slow. */
const maxNumbers = 200_000;

/**
 * The numbers of a text's lines, one below the other, as they stand beside it.
 *
 * @param {string} text
 */
export function lineNumbers(text) {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < text.length - 1; at = text.indexOf("\n", at + 1)) count++;
  return Array.from({ length: Math.min(count, maxNumbers) }, (_, index) => index + 1).join("\n");
}
