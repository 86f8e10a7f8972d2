// @ts-check

/**
 * A run of text in a paragraph.
 * @typedef {{ kind: "text" | "code" | "break", text: string }
 *   | { kind: "strong" | "emphasis" | "strike", children: Inline[] }
 *   | { kind: "link", href: string, children: Inline[] }} Inline
 */

/**
 * A part of a document.
 * @typedef {{ kind: "heading", level: number, children: Inline[] }
 *   | { kind: "paragraph", children: Inline[] }
 *   | { kind: "code", text: string }
 *   | { kind: "rule" }
 *   | { kind: "quote", children: Block[] }
 *   | { kind: "list", ordered: boolean, items: { checked: boolean | null, children: Block[] }[] }
 *   | { kind: "table", head: Inline[][], rows: Inline[][][] }} Block
 */

/** How deep quotes and lists may lie in each other; what is deeper is read as text. */
const maxDepth = 8;

const item = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)(.*)$/;
const tableRule = /^ {0,3}(?=[ :|]*-)[ :|-]+$/;

/**
 * A Markdown text as a tree: headings, paragraphs, lists, quotes, code, tables and rules of CommonMark and GitHub's
 * extension of it, as far as read-me files use them. HTML is text.
 *
 * @param {string} text
 * @returns {Block[]}
 */
export function markdownBlocks(text) {
  return blocksOf(text.replaceAll("\r\n", "\n").replaceAll("\t", "    ").split("\n"), 0);
}

/**
 * @param {string[]} lines
 * @param {number} depth
 * @returns {Block[]}
 */
function blocksOf(lines, depth) {
  /** @type {Block[]} */
  const blocks = [];
  for (let at = 0; at < lines.length;) {
    const found = codeAt(lines, at) ?? headingAt(lines, at) ?? ruleAt(lines, at) ??
      (depth < maxDepth ? quoteAt(lines, at, depth) ?? listAt(lines, at, depth) : null) ??
      tableAt(lines, at) ?? paragraphAt(lines, at, depth);
    if (found.block) blocks.push(found.block);
    at = found.next;
  }
  return blocks;
}

/** @typedef {{ block: Block | null, next: number }} Found */

/**
 * @param {string[]} lines
 * @param {number} at
 * @returns {Found | null}
 */
function codeAt(lines, at) {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(lines[at])?.[1];
  if (fence !== undefined) {
    let end = at + 1;
    while (end < lines.length && !lines[end].trim().startsWith(fence)) end++;
    return { block: { kind: "code", text: lines.slice(at + 1, end).join("\n") }, next: end + 1 };
  }
  if (!/^ {4}\S/.test(lines[at])) return null;
  let end = at;
  while (end < lines.length && /^(?: {4}|$)/.test(lines[end])) end++;
  const text = lines.slice(at, end).map((line) => line.slice(4)).join("\n").trimEnd();
  return { block: { kind: "code", text }, next: end };
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @returns {Found | null}
 */
function headingAt(lines, at) {
  const match = /^ {0,3}(#{1,6})(?: +(.*))?$/.exec(lines[at]);
  if (match !== null) {
    const children = inlines((match[2] ?? "").trimEnd().replace(/(?:^| )#+$/, ""));
    return { block: { kind: "heading", level: match[1].length, children }, next: at + 1 };
  }
  const below = /^ {0,3}(?:(=+)|-{2,}) *$/.exec(lines[at + 1] ?? "");
  if (below === null || !isPlain(lines[at])) return null;
  return {
    block: { kind: "heading", level: below[1] ? 1 : 2, children: inlines(lines[at].trim()) },
    next: at + 2,
  };
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @returns {Found | null}
 */
function ruleAt(lines, at) {
  const text = lines[at].replaceAll(" ", "");
  return /^(?:-{3,}|\*{3,}|_{3,})$/.test(text) ? { block: { kind: "rule" }, next: at + 1 } : null;
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {Found | null}
 */
function quoteAt(lines, at, depth) {
  let end = at;
  while (end < lines.length && /^ {0,3}>/.test(lines[end])) end++;
  if (end === at) return null;
  const inner = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ""));
  return { block: { kind: "quote", children: blocksOf(inner, depth + 1) }, next: end };
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {Found | null}
 */
function listAt(lines, at, depth) {
  const first = item.exec(lines[at]);
  if (first === null) return null;
  const ordered = /\d/.test(first[2]);
  /** @type {{ checked: boolean | null, children: Block[] }[]} */
  const items = [];
  let next = at;
  for (let match = item.exec(lines[next]); match !== null && /\d/.test(match[2]) === ordered;) {
    const indent = match[1].length + match[2].length + Math.min(match[3].length || 1, 4);
    const box = /^\[([ xX])\] +/.exec(match[4]);
    const inner = [box ? match[4].slice(box[0].length) : match[4]];
    for (next++; next < lines.length; next++) {
      const line = lines[next];
      const inside = line.slice(0, indent).trim() === "" &&
        (line.trim() !== "" || belongs(lines[next + 1], indent));
      const goesOn = line.trim() !== "" && isPlain(line) && inner.at(-1) !== "";
      if (!inside && !goesOn) break;
      inner.push(inside ? line.slice(indent) : line.trim());
    }
    items.push({ checked: box ? box[1] !== " " : null, children: blocksOf(inner, depth + 1) });
    if (lines[next]?.trim() === "" && item.test(lines[next + 1] ?? "")) next++;
    match = item.exec(lines[next] ?? "");
  }
  return { block: { kind: "list", ordered, items }, next };
}

/**
 * @param {string | undefined} line
 * @param {number} indent
 */
function belongs(line, indent) {
  return line !== undefined && line.trim() !== "" && line.slice(0, indent).trim() === "";
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @returns {Found | null}
 */
function tableAt(lines, at) {
  if (!lines[at].includes("|") || !tableRule.test(lines[at + 1] ?? "")) return null;
  const head = cellsOf(lines[at]);
  let next = at + 2;
  while (next < lines.length && lines[next].includes("|")) next++;
  const rows = lines.slice(at + 2, next).map((line) => cellsOf(line).slice(0, head.length).map(inlines));
  return { block: { kind: "table", head: head.map(inlines), rows }, next };
}

/** @param {string} line */
function cellsOf(line) {
  return line.trim().replace(/^\|/, "").replace(/\|$/, "").split(/(?<!\\)\|/).map((cell) =>
    cell.trim().replaceAll("\\|", "|")
  );
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {Found}
 */
function paragraphAt(lines, at, depth) {
  if (lines[at].trim() === "") return { block: null, next: at + 1 };
  let next = at + 1;
  while (next < lines.length && lines[next].trim() !== "" && (depth >= maxDepth || isPlain(lines[next]))) {
    next++;
  }
  return { block: { kind: "paragraph", children: inlines(lines.slice(at, next).join("\n").trim()) }, next };
}

/**
 * Whether a line begins no block but goes on with a paragraph.
 *
 * @param {string} line
 */
function isPlain(line) {
  return line.trim() !== "" && !/^ {0,3}(?:#{1,6}(?: |$)|>|`{3}|~{3})/.test(line) && !item.test(line) &&
    ruleAt([line], 0) === null;
}

/**
 * What may stand for itself after a backslash, code, links, images, addresses, emphasis and line breaks, in this order. A
 * run of the same character is tried from its beginning alone, and what else repeats is bounded, so that no text is slow.
 */
const inlinePattern =
  /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)([^`](?:[^`]{0,2000}?[^`])?)\2(?!`)|!?\[([^[\]]{0,500})\]\(<?([^\s()<>]{0,2000})>?(?:\s+"[^"]{0,200}")?\)|<(https?:\/\/[^\s<>]{1,2000})>|\b(https?:\/\/[^\s<>()]{1,1999}[^\s<>().,:;!?'"])|(\*\*|__)(?=\S)([^\n]{1,1000}?)(?<=\S)\8|(\*|_)(?=\S)([^*_]{1,2000}?)\10(?!\w)|~~(?=\S)([^~]{1,2000})~~|(?<! ) {2,}\n|\\\n/g;

/**
 * The runs of a paragraph's text.
 *
 * @param {string} text
 * @param {number} [depth]
 * @returns {Inline[]}
 */
export function inlines(text, depth = 0) {
  /** @type {Inline[]} */
  const runs = [];
  let end = 0;
  for (const match of text.matchAll(inlinePattern)) {
    if (match.index > end) runs.push({ kind: "text", text: text.slice(end, match.index) });
    runs.push(runOf(match, depth));
    end = match.index + match[0].length;
  }
  if (end < text.length) runs.push({ kind: "text", text: text.slice(end) });
  return runs;
}

/**
 * @param {RegExpExecArray} match of {@link inlinePattern}
 * @param {number} depth
 * @returns {Inline}
 */
function runOf(
  [whole, escaped, , code, label, target, bracketed, bare, , strong, , emphasis, strike],
  depth,
) {
  const inner = (/** @type {string} */ text) =>
    depth < maxDepth ? inlines(text, depth + 1) : [/** @type {Inline} */ ({ kind: "text", text })];
  if (escaped !== undefined) return { kind: "text", text: escaped };
  if (code !== undefined) return { kind: "code", text: code.trim() };
  if (target !== undefined) return linkOf(target, inner(label || target), whole);
  const address = bracketed ?? bare;
  if (address !== undefined) return linkOf(address, [{ kind: "text", text: address }], whole);
  if (strong !== undefined) return { kind: "strong", children: inner(strong) };
  if (emphasis !== undefined) return { kind: "emphasis", children: inner(emphasis) };
  if (strike !== undefined) return { kind: "strike", children: inner(strike) };
  return { kind: "break", text: "\n" };
}

/**
 * A link to an address of the web or of mail. Others lead nowhere from here, or run script: their words stay as text.
 *
 * @param {string} target
 * @param {Inline[]} children
 * @param {string} whole
 * @returns {Inline}
 */
function linkOf(target, children, whole) {
  if (!/^(?:https?:\/\/|mailto:)/i.test(target) || !URL.canParse(target)) {
    return { kind: "text", text: whole };
  }
  return { kind: "link", href: target, children };
}
