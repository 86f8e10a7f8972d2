// @ts-check

/** @typedef {"json" | "yaml" | "log" | "plain"} Grammar */

/**
 * A piece of a text, and what it is: the name of something, a text, a number, a fixed word, a remark, or a level of a log.
 * @typedef {{ text: string, kind: "" | "name" | "string" | "number" | "word" | "comment" | "error" | "warn" | "info" | "debug" }} Token
 */

/** What of a text is coloured, in characters: each piece is an element of its own. */
const maxCharacters = 48 * 1024;

/** @typedef {Exclude<Token["kind"], "">} Kind */

/**
 * What each grammar knows, as groups of one pattern, with the kinds of its groups in their order. Every repetition stands
 * next to something that it cannot match, and a text that is not closed is one all the same, so that none is looked through
 * twice.
 * @type {Readonly<Record<Exclude<Grammar, "plain">, { pattern: RegExp, kinds: readonly Kind[] }>>}
 */
const grammars = {
  json: {
    pattern:
      /("(?:[^"\\\n]|\\.)*"(?=\s{0,8}:))|("(?:[^"\\\n]|\\.)*"?)|(-?\b\d[\d.eE+-]*)|(\b(?:true|false|null)\b)/g,
    kinds: ["name", "string", "number", "word"],
  },
  yaml: {
    pattern:
      /(#[^\n]*)|((?<=^[ \t-]{0,80})[\w./-]+(?=:(?:\s|$)))|("(?:[^"\\\n]|\\.)*"?|'[^'\n]*')|(\b(?:true|false|null|yes|no)\b)|((?<=[\s:[,])-?\d[\d.]*(?=[\s,\]]|$))/gm,
    kinds: ["comment", "name", "string", "word", "number"],
  },
  log: {
    pattern:
      /(\b\d{4}-\d\d-\d\d[T ][\d:.,]{5,15}(?:Z|[+-]\d\d:?\d\d)?)|(\b(?:ERROR|FATAL|CRITICAL|PANIC|error|fatal)\b)|(\b(?:WARN|WARNING|warn|warning)\b)|(\b(?:INFO|NOTICE|info)\b)|(\b(?:DEBUG|TRACE|debug|trace)\b)/g,
    kinds: ["comment", "error", "warn", "info", "debug"],
  },
};

/**
 * By which grammar a text is coloured.
 *
 * @param {string} name of the object
 * @param {string} contentType as stored, or empty
 * @returns {Grammar}
 */
export function grammarOf(name, contentType) {
  const extension = /\.([^./]+)$/.exec(name)?.[1].toLowerCase() ?? "";
  if (/^(?:json|jsonl|ndjson|geojson)$/.test(extension) || /[/+]json\b/.test(contentType)) return "json";
  if (/^ya?ml$/.test(extension) || /yaml/.test(contentType)) return "yaml";
  return /^(?:log|out|err)$/.test(extension) ? "log" : "plain";
}

/**
 * A text in pieces. Together they are the text; what follows the first 48 Ki characters is one piece without a kind.
 *
 * @param {string} text
 * @param {Grammar} grammar
 * @returns {Token[]}
 */
export function highlighted(text, grammar) {
  if (grammar === "plain") return [{ text, kind: "" }];
  const { pattern, kinds } = grammars[grammar];
  const head = text.slice(0, maxCharacters);
  /** @type {Token[]} */
  const tokens = [];
  let end = 0;
  for (const match of head.matchAll(pattern)) {
    if (match.index > end) tokens.push({ text: head.slice(end, match.index), kind: "" });
    const group = match.slice(1).findIndex((part) => part !== undefined);
    tokens.push({ text: match[0], kind: kinds[group] ?? "" });
    end = match.index + match[0].length;
  }
  if (end < text.length) tokens.push({ text: text.slice(end), kind: "" });
  return tokens;
}
