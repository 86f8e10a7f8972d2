// @ts-check

/**
 * What keeps a text from being JSON.
 * @typedef {"end" | "value" | "name" | "colon" | "comma_object" | "comma_list" | "trailing_comma" | "quotes" | "escape"
 *   | "control" | "number" | "after" | "twice" | "deep"} JsonFault
 */

/**
 * Where in a text something is, counted from 1; columns are UTF-16 code units, as text fields count.
 * @typedef {{ offset: number, line: number, column: number }} Place
 */

/**
 * @typedef {object} LocatedJson
 * @property {unknown} value `undefined` when there is an error
 * @property {(Place & { fault: JsonFault }) | null} error
 * @property {ReadonlyMap<string, number>} offsets where each value begins, by its path, such as `rules.0.prefix`; the whole
 *   has the empty path
 */

/** Deeper nesting than any setting has. */
const maxDepth = 64;

/**
 * Parses JSON (https://www.rfc-editor.org/rfc/rfc8259) and tells where its values are, or where it is wrong: browsers say
 * neither in the same way. A name that stands twice in an object is an error, since the first value would get lost.
 * @param {string} text
 * @returns {LocatedJson}
 */
export function locateJson(text) {
  const scanner = new Scanner(text);
  try {
    scanner.scan();
    return { value: JSON.parse(text), error: null, offsets: scanner.offsets };
  } catch (error) {
    if (!(error instanceof FaultAt)) throw error;
    return {
      value: undefined,
      error: { ...placeAt(text, error.offset), fault: error.fault },
      offsets: scanner.offsets,
    };
  }
}

/**
 * The line and column of an offset.
 * @param {string} text
 * @param {number} offset
 * @returns {Place}
 */
export function placeAt(text, offset) {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf("\n") + 1;
  return { offset, line: before.split("\n").length, column: offset - start + 1 };
}

/**
 * Where the value at `path` is, or the nearest one around it that is there.
 * @param {string} text
 * @param {ReadonlyMap<string, number>} offsets
 * @param {string} path
 */
export function placeOfPath(text, offsets, path) {
  let known = path;
  while (known !== "" && !offsets.has(known)) known = known.slice(0, Math.max(0, known.lastIndexOf(".")));
  return placeAt(text, offsets.get(known) ?? 0);
}

class FaultAt extends Error {
  /**
   * @param {number} offset
   * @param {JsonFault} fault
   */
  constructor(offset, fault) {
    super(fault);
    this.offset = offset;
    this.fault = fault;
  }
}

class Scanner {
  /** @type {Map<string, number>} */
  offsets = new Map();
  #text;
  #at = 0;

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  scan() {
    this.#value("", 0);
    this.#space();
    if (this.#at < this.#text.length) this.#fail("after");
  }

  /**
   * @param {string} path
   * @param {number} depth
   */
  #value(path, depth) {
    this.#space();
    if (depth > maxDepth) this.#fail("deep");
    this.offsets.set(path, this.#at);
    const next = this.#text[this.#at];
    if (next === undefined) this.#fail("end");
    if (next === "{") return this.#object(path, depth);
    if (next === "[") return this.#list(path, depth);
    if (next === '"') return this.#string();
    if (next === "'" || next === "“" || next === "”") this.#fail("quotes");
    const word = /[\w+.-]*/y;
    word.lastIndex = this.#at;
    const [found] = word.exec(this.#text) ?? [""];
    if (/^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)$/.test(found)) this.#at += found.length;
    else this.#fail(/^[-+.\d]/.test(found) ? "number" : "value");
  }

  /**
   * @param {string} path
   * @param {number} depth
   */
  #object(path, depth) {
    const names = new Set();
    this.#at++;
    for (let first = true;; first = false) {
      this.#space();
      const next = this.#text[this.#at];
      if (first && next === "}") break;
      if (next === undefined) this.#fail("end");
      if (next !== '"') this.#fail(next === "}" ? "trailing_comma" : next === "'" ? "quotes" : "name");
      const start = this.#at;
      this.#string();
      const name = JSON.parse(this.#text.slice(start, this.#at));
      if (names.has(name)) this.#fail("twice", start);
      names.add(name);
      this.#space();
      if (this.#text[this.#at] !== ":") this.#fail(this.#at < this.#text.length ? "colon" : "end");
      this.#at++;
      this.#value(path === "" ? name : `${path}.${name}`, depth + 1);
      if (this.#ends("}", "comma_object")) break;
    }
    this.#at++;
  }

  /**
   * @param {string} path
   * @param {number} depth
   */
  #list(path, depth) {
    this.#at++;
    for (let index = 0;; index++) {
      this.#space();
      if (this.#text[this.#at] === "]") {
        if (index > 0) this.#fail("trailing_comma");
        break;
      }
      this.#value(path === "" ? String(index) : `${path}.${index}`, depth + 1);
      if (this.#ends("]", "comma_list")) break;
    }
    this.#at++;
  }

  /**
   * Whether an object or a list ends here; goes past a comma.
   * @param {string} end
   * @param {JsonFault} fault
   */
  #ends(end, fault) {
    this.#space();
    const next = this.#text[this.#at];
    if (next === end) return true;
    if (next !== ",") this.#fail(next === undefined ? "end" : fault);
    this.#at++;
    return false;
  }

  #string() {
    const start = this.#at;
    for (this.#at++; this.#text[this.#at] !== '"'; this.#at++) {
      const next = this.#text[this.#at];
      if (next === undefined) this.#fail("end", start);
      if (next < " ") this.#fail("control");
      if (next !== "\\") continue;
      const escape = /["\\/bfnrt]|u[\dA-Fa-f]{4}/y;
      escape.lastIndex = this.#at + 1;
      const found = escape.exec(this.#text);
      if (found === null) this.#fail("escape");
      else this.#at += found[0].length;
    }
    this.#at++;
  }

  #space() {
    while (/^[ \t\n\r]$/.test(this.#text[this.#at] ?? "")) this.#at++;
  }

  /**
   * @param {JsonFault} fault
   * @param {number} [offset]
   * @returns {never}
   */
  #fail(fault, offset = this.#at) {
    throw new FaultAt(offset, fault);
  }
}
