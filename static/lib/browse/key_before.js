// @ts-check

/**
 * A key that comes just before a text in the order of keys, as far as keys are likely to be.
 *
 * @param {string} text not empty
 */
export function before(text) {
  const characters = [...text];
  const last = characters.pop()?.codePointAt(0) ?? 0;
  return last === 0
    ? characters.join("")
    : characters.join("") + String.fromCodePoint(lowered(last)) + "\u{10fffd}";
}

/**
 * The code point before another one; those of surrogates are none.
 * @param {number} codePoint
 */
function lowered(codePoint) {
  return codePoint === 0xe000 ? 0xd7ff : codePoint - 1;
}
