// @ts-check

/**
 * A value of a JSON text. `raw` is how a plain value is written there: long numbers keep their digits.
 *
 * @typedef {object} JsonNode
 * @property {"object" | "array" | "string" | "number" | "word"} kind
 * @property {string | null} name in the object that it is in
 * @property {string} raw empty for objects and arrays
 * @property {JsonNode[]} children
 */

/** Values that are taken up: beyond this, a tree helps nobody. */
const maxNodes = 200_000;

const tokenPattern =
  // deno-lint-ignore no-control-regex -- a string must not hold them
  /\s*(?:("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)|([{}[\],:]))/y;

/**
 * The values of a JSON text as a tree. It goes down by a list of its own and not by calls, so that no depth can break it,
 * and unlike `JSON.parse` it keeps numbers as they are written and names that stand twice.
 *
 * @param {string} text
 * @returns {JsonNode | null} `null` for what is no JSON document (RFC 8259), or has too many values
 */
export function jsonNodes(text) {
  /** @type {JsonNode} */
  const root = { kind: "array", name: null, raw: "", children: [] };
  /** @type {JsonNode[]} */
  const open = [root];
  let expects = "value";
  let name = /** @type {string | null} */ (null);
  let count = 0;
  const tokens = new RegExp(tokenPattern);
  tokens.lastIndex = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let end = tokens.lastIndex;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    end = tokens.lastIndex;
    const [, string, number, word, mark] = match;
    const parent = open[open.length - 1];
    if (mark === "}" || mark === "]") {
      const first = parent.children.length === 0;
      const fits = open.length > 1 && (parent.kind === "object") === (mark === "}");
      if (!fits || !(expects === "next" || (first && expects !== "colon" && name === null))) return null;
      open.pop();
      expects = "next";
    } else if (mark === ",") {
      if (expects !== "next" || open.length === 1) return null;
      expects = parent.kind === "object" ? "name" : "element";
    } else if (mark === ":") {
      if (expects !== "colon") return null;
      expects = "member";
    } else if (expects === "name" || expects === "name or end") {
      if (string === undefined) return null;
      name = JSON.parse(string);
      expects = "colon";
    } else {
      if (!["value", "member", "element", "element or end"].includes(expects) || ++count > maxNodes) {
        return null;
      }
      const kind = mark === "{"
        ? "object"
        : mark === "["
        ? "array"
        : string
        ? "string"
        : number
        ? "number"
        : "word";
      /** @type {JsonNode} */
      const node = { kind, name, raw: mark ? "" : string ?? number ?? word, children: [] };
      parent.children.push(node);
      name = null;
      expects = mark === "{" ? "name or end" : mark === "[" ? "element or end" : "next";
      if (mark) open.push(node);
    }
  }
  const complete = open.length === 1 && root.children.length === 1 && text.slice(end).trim() === "";
  return complete ? root.children[0] : null;
}
