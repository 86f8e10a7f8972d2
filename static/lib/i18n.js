// @ts-check

/**
 * A text in one language. With `{name}` where something is filled in; with one form for each plural category of the
 * language where it counts something, which is then called `n`.
 * @typedef {string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>} Message
 */

/** @typedef {keyof typeof import("../i18n/en.js").messages} MessageKey */

/** @typedef {Readonly<Record<string, Message>>} Catalogue */

let language = "en";
let plurals = new Intl.PluralRules(language);
let numbers = new Intl.NumberFormat(language);

/** @type {Record<string, Message>} */
let messages = {};

/** The language of the page, as a BCP 47 tag. The server draws pages of several: it is not to be kept. */
export function currentLanguage() {
  return language;
}

/**
 * Sets the language that texts, numbers and dates are written in from now on.
 * @param {string} tag a BCP 47 tag
 * @param {Catalogue} catalogue its texts; more can be added
 */
export function setLanguage(tag, catalogue = {}) {
  if (tag !== language) {
    language = tag;
    plurals = new Intl.PluralRules(tag);
    numbers = new Intl.NumberFormat(tag);
  }
  messages = catalogue;
}

/**
 * Adds texts of the page's language.
 * @param {Catalogue} catalogue
 */
export function addMessages(catalogue) {
  messages = { ...messages, ...catalogue };
}

/**
 * The text of a key in the page's language. Not to be called while a module is loaded: the language is not set then.
 * @param {MessageKey} key written out in the source, since pages are sent the texts of the keys that their modules name
 * @param {Readonly<Record<string, string | number>>} [params] what is filled in; numbers are written as the language does
 * @returns {string}
 */
export function t(key, params = {}) {
  return parts(key, params).join("");
}

/**
 * As {@link t}, with elements among what is filled in.
 * @param {MessageKey} key
 * @param {Readonly<Record<string, import("preact").ComponentChild>>} params
 * @returns {import("preact").ComponentChild[]}
 */
export function rich(key, params) {
  return parts(key, params);
}

/**
 * The text of a key as pieces, with what is filled in between them.
 * @param {MessageKey} key
 * @param {Readonly<Record<string, any>>} params
 * @returns {any[]}
 */
function parts(key, params) {
  const message = messages[key];
  if (message === undefined) return [key];
  const text = typeof message === "string" ? message : message[plurals.select(params.n)] ?? message.other;
  return text.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part;
    const value = params[part];
    return typeof value === "number" ? numbers.format(value) : value ?? "";
  });
}

/**
 * Something that is made once for each language, such as a formatter: one for each cell is what makes long tables slow.
 * @template T
 * @param {(language: string) => T} make
 * @returns {() => T} gives that of the page's language
 */
export function perLanguage(make) {
  /** @type {Map<string, T>} */
  const made = new Map();
  return () => {
    const known = made.get(language);
    if (known !== undefined) return known;
    const fresh = make(language);
    made.set(language, fresh);
    return fresh;
  };
}
