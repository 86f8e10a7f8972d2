// @ts-check
import { t } from "../i18n.js";

/**
 * A piece of a key as it is shown. `mark` says what a piece stands for that could not be seen as it is.
 *
 * @typedef {{ text: string, mark?: string }} Piece
 */

/** Characters left whole at the end of a long name, so that its extension stays in sight. */
const tailLength = 8;

/** Control characters, characters of no width, and those that turn the writing direction. */
const unseen = new RegExp("[\\p{Cc}\\p{Cf}\\u2028\\u2029]", "u");

/**
 * What to show of a name: runs of plain text, and marks for what the eye would miss or be misled by: control characters,
 * characters without width, direction overrides, and spaces at either end.
 *
 * @param {string} name
 * @returns {Piece[]}
 */
export function pieces(name) {
  if (name === "") {
    return [{ text: t("browse.no_name"), mark: t("browse.mark_empty") }];
  }
  if (name === "." || name === "..") {
    return [{ text: `“${name}”`, mark: t("browse.mark_dots") }];
  }
  const characters = [...name];
  const firstInk = characters.findIndex((character) => character !== " ");
  const lastInk = characters.findLastIndex((character) => character !== " ");
  /** @type {Piece[]} */
  const result = [];
  let text = "";
  characters.forEach((character, index) => {
    const edgeSpace = character === " " && (firstInk < 0 || index < firstInk || index > lastInk);
    if (!edgeSpace && !unseen.test(character)) {
      text += character;
      return;
    }
    if (text !== "") result.push({ text });
    text = "";
    result.push(edgeSpace ? { text: "\u2423", mark: t("browse.mark_space") } : codePoint(character));
  });
  if (text !== "") result.push({ text });
  return result;
}

/**
 * @param {string} character
 * @returns {Piece}
 */
function codePoint(character) {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return { text: `U+${code}`, mark: t("browse.mark_unseen") };
}

/**
 * Splits plain text in two, of which the first may be cut short and the second stays whole. Never splits a
 * character that people see as one.
 *
 * @param {string} text
 * @returns {[string, string]}
 */
export function headAndTail(text) {
  const characters = [...text];
  if (characters.length <= tailLength * 2) return [text, ""];
  let at = characters.length - tailLength;
  while (at > 0 && /^[\p{M}\u200d]/u.test(characters[at])) at--;
  return [characters.slice(0, at).join(""), characters.slice(at).join("")];
}
