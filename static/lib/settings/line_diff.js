// @ts-check

/**
 * A line of a comparison: in both texts, only in the old, or only in the new one; the numbers of the line there, from 1.
 * @typedef {{ kind: "same" | "removed" | "added", text: string, before: number | null, after: number | null }} DiffLine
 */

/** More cells of the table of common lines than this are not worth the time: the texts are then shown one below the other. */
const maxCells = 4_000_000;

/**
 * Compares two texts line by line by their longest common part.
 * @param {string} before
 * @param {string} after
 * @returns {DiffLine[]}
 */
export function diffLines(before, after) {
  const old = linesOf(before);
  const fresh = linesOf(after);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (
    end < old.length - start && end < fresh.length - start &&
    old[old.length - 1 - end] === fresh[fresh.length - 1 - end]
  ) end++;
  const kinds = [
    ...Array(start).fill("same"),
    ...middle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...Array(end).fill("same"),
  ];
  return numbered(kinds, old, fresh);
}

/**
 * How many lines a comparison adds and removes.
 * @param {readonly DiffLine[]} lines
 */
export function countChanges(lines) {
  return {
    added: lines.filter(({ kind }) => kind === "added").length,
    removed: lines.filter(({ kind }) => kind === "removed").length,
  };
}

/**
 * A comparison without what is far from any change; `null` stands for what was left out.
 * @param {readonly DiffLine[]} lines
 * @param {number} [context] lines that are kept around a change
 * @returns {Array<DiffLine | null>}
 */
export function withoutFarLines(lines, context = 3) {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ kind }) => kind !== "same")
  );
  return lines.flatMap((line, index) => near[index] ? [line] : near[index - 1] || index === 0 ? [null] : []);
}

/** @param {string} text */
function linesOf(text) {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/**
 * @param {readonly string[]} old
 * @param {readonly string[]} fresh
 * @returns {Array<DiffLine["kind"]>}
 */
function middle(old, fresh) {
  if (old.length * fresh.length > maxCells) {
    return [
      ...old.map(() => /** @type {const} */ ("removed")),
      ...fresh.map(() => /** @type {const} */ ("added")),
    ];
  }
  const width = fresh.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = fresh.length - 1; column >= 0; column--) {
      common[row * width + column] = old[row] === fresh[column]
        ? common[(row + 1) * width + column + 1] + 1
        : Math.max(common[(row + 1) * width + column], common[row * width + column + 1]);
    }
  }
  /** @type {Array<DiffLine["kind"]>} */
  const kinds = [];
  let row = 0;
  let column = 0;
  while (row < old.length || column < fresh.length) {
    if (row < old.length && column < fresh.length && old[row] === fresh[column]) {
      kinds.push("same");
      row++;
      column++;
    } else if (
      column === fresh.length ||
      (row < old.length && common[(row + 1) * width + column] >= common[row * width + column + 1])
    ) {
      kinds.push("removed");
      row++;
    } else {
      kinds.push("added");
      column++;
    }
  }
  return kinds;
}

/**
 * @param {ReadonlyArray<DiffLine["kind"]>} kinds
 * @param {readonly string[]} old
 * @param {readonly string[]} fresh
 * @returns {DiffLine[]}
 */
function numbered(kinds, old, fresh) {
  let before = 0;
  let after = 0;
  return kinds.map((kind) => {
    if (kind !== "added") before++;
    if (kind !== "removed") after++;
    return {
      kind,
      text: kind === "added" ? fresh[after - 1] : old[before - 1],
      before: kind === "added" ? null : before,
      after: kind === "removed" ? null : after,
    };
  });
}
