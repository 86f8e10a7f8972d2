// @ts-check

/**
 * A number as its field says it: `undefined` for an empty one, `null` for a text that is no number. JSON has `null` there as
 * well, which no setting may be: what was mistyped is then found like any other mistake, and never taken for nothing.
 * @typedef {number | null | undefined} TypedNumber
 */

/** What may be a thousand to one reader and a one to another. */
const ambiguous = /,\d{3}$|\.000$/;

/**
 * Reads a number that was typed; a comma counts as a decimal point. Where it may stand for thousands, it is no number.
 * @param {string} text
 * @returns {TypedNumber}
 */
export function readDecimal(text) {
  if (ambiguous.test(text.trim())) return null;
  return read(text.replace(",", "."), /^(?:\d+\.?\d*|\.\d+)$/);
}

/**
 * Reads a whole number that was typed.
 * @param {string} text
 * @returns {TypedNumber}
 */
export function readWhole(text) {
  return read(text, /^\d+$/);
}

/**
 * @param {string} text
 * @param {RegExp} form
 */
function read(text, form) {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const number = form.test(trimmed) ? Number(trimmed) : NaN;
  return Number.isFinite(number) ? number : null;
}
