import type { Catalogue, Message } from "../../static/lib/i18n.js";

/**
 * The tag of a language that nobody speaks: English with accents, in brackets, and longer by two fifths or more, as other
 * languages are. It shows texts that are not in the catalogues, are put together from pieces, or do not fit. CLDR has the tag
 * for this; numbers and dates are those of English.
 */
export const pseudoLanguage = "en-XA";

const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const accented = [..."åƀçđéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ"];

/** The English catalogue in it, with the places to fill in as they were. */
export function pseudoCatalogue(english: Catalogue): Catalogue {
  return Object.fromEntries(Object.entries(english).map(([key, message]) => [key, pseudoMessage(message)]));
}

function pseudoMessage(message: Message): Message {
  if (typeof message === "string") return pseudoText(message);
  const forms = Object.entries(message).map(([category, text]) => [category, pseudoText(text)]);
  return { other: "", ...Object.fromEntries(forms) };
}

function pseudoText(text: string): string {
  const pieces = text.split(/(\{\w+\})/).map((piece, index) => index % 2 === 0 ? accent(piece) : piece);
  const longer = pieces.join("");
  return `[${longer}${"~".repeat(Math.max(0, Math.ceil(text.length * 1.4) - longer.length))}]`;
}

/**
 * Gives every letter an accent, and puts every vowel twice: words get longer, as those of other languages are, and not only
 * sentences.
 */
export function accent(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const [other] = accented.slice(plain.indexOf(letter));
    return /[aeiou]/i.test(letter) ? other + other.toLowerCase() : other;
  });
}
