// @ts-check

/**
 * Where a text has what was typed.
 * @typedef {{ score: number, marks: ReadonlySet<number> }} Match `marks` are the indices of the letters that were found
 */

const startOfWord = 8;
const next = 5;
const found = 1;

/** Taken off for each letter that is passed over, up to `maxGap`. */
const gap = 0.1;
const maxGap = 20;

/**
 * Finds the letters of `query` in `text` in their order, each word of it for itself. The more of them are together or begin
 * words, and the earlier they are, the better. Case and spaces do not matter.
 * @param {string} query
 * @param {string} text
 * @returns {Match | null}
 */
export function fuzzyMatch(query, text) {
  const marks = new Set();
  let score = 0;
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const match = matchWord(word, text);
    if (match === null) return null;
    score += match.score;
    for (const mark of match.marks) marks.add(mark);
  }
  return { score, marks };
}

/**
 * @param {string} word
 * @param {string} text
 * @returns {{ score: number, marks: number[] } | null}
 */
function matchWord(word, text) {
  const lower = text.toLowerCase();
  const whole = wholeAt(word, text, lower);
  if (whole >= 0) {
    const marks = Array.from(word, (_, index) => whole + index);
    return { score: scoreOf(marks, text) + word.length, marks };
  }
  /** @type {{ score: number, marks: number[] } | null} */
  let best = null;
  for (let start = lower.indexOf(word[0]); start >= 0; start = lower.indexOf(word[0], start + 1)) {
    const marks = from(start, word, lower);
    if (marks === null) break;
    const score = scoreOf(marks, text);
    if (best === null || score > best.score) best = { score, marks };
  }
  return best;
}

/**
 * Where the text has the word in one piece, at best at the start of a word of its own.
 * @param {string} word
 * @param {string} text
 * @param {string} lower
 */
function wholeAt(word, text, lower) {
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    if (beginsWord(text, at)) return at;
  }
  return lower.indexOf(word);
}

/**
 * @param {number} start
 * @param {string} word
 * @param {string} lower
 */
function from(start, word, lower) {
  const marks = [start];
  for (const letter of word.slice(1)) {
    const at = lower.indexOf(letter, (marks.at(-1) ?? 0) + 1);
    if (at < 0) return null;
    marks.push(at);
  }
  return marks;
}

/**
 * @param {readonly number[]} marks
 * @param {string} text
 */
function scoreOf(marks, text) {
  let score = -gap * Math.min(maxGap, marks[0]);
  for (const [index, at] of marks.entries()) {
    const skipped = index === 0 ? 0 : at - marks[index - 1] - 1;
    score += found - gap * Math.min(maxGap, skipped);
    if (index > 0 && skipped === 0) score += next;
    if (beginsWord(text, at)) score += startOfWord;
  }
  return score;
}

/**
 * @param {string} text
 * @param {number} at
 */
function beginsWord(text, at) {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]);
}
