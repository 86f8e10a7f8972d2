// @ts-check

/**
 * The first rows of a CSV or TSV text (RFC 4180: quoted fields, doubled quotes, line breaks inside quotes). The
 * separator is the one of comma, semicolon and tab that the first line has most of.
 *
 * @param {string} text
 * @param {number} limit rows
 * @returns {{ rows: string[][], more: boolean }} `more` when the text goes on after the last row
 */
export function parseCsv(text, limit) {
  const separator = separatorOf(text);
  const rows = [];
  /** @type {string[]} */
  let row = [];
  let field = "";
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    const character = text[at];
    if (character === '"' && field === "") {
      const end = closingQuote(text, at + 1);
      field = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else if (character === separator) {
      row.push(field);
      field = "";
      at++;
    } else if (character === "\n" || character === "\r") {
      rows.push([...row, field]);
      row = [];
      field = "";
      at += character === "\r" && text[at + 1] === "\n" ? 2 : 1;
      if (rows.length === limit) return { rows, more: at < text.length };
    } else {
      field += character;
      at++;
    }
  }
  if (field !== "" || row.length > 0) rows.push([...row, field]);
  return { rows, more: false };
}

/**
 * @param {string} text
 * @param {number} from
 */
function closingQuote(text, from) {
  for (let at = from; at < text.length; at++) {
    if (text[at] !== '"') continue;
    if (text[at + 1] !== '"') return at;
    at++;
  }
  return text.length;
}

/** @param {string} text */
function separatorOf(text) {
  const line = text.slice(0, 4096).split(/\r?\n/, 1)[0];
  const count = (/** @type {string} */ separator) => line.split(separator).length;
  return [",", ";", "\t"].reduce((best, next) => count(next) > count(best) ? next : best);
}
