// @ts-check

/** @import { DiffLine } from "../settings/line_diff.js" */

/**
 * The lines of a comparison in pairs: what was taken away beside what came in its place.
 *
 * @param {ReadonlyArray<DiffLine | null>} lines `null` stands for what was left out
 * @returns {Array<[DiffLine | null, DiffLine | null] | null>}
 */
export function sideBySide(lines) {
  /** @type {Array<[DiffLine | null, DiffLine | null] | null>} */
  const pairs = [];
  /** @type {DiffLine[]} */
  let removed = [];
  /** @type {DiffLine[]} */
  let added = [];
  const flush = () => {
    const length = Math.max(removed.length, added.length);
    for (let index = 0; index < length; index++) pairs.push([removed[index] ?? null, added[index] ?? null]);
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line?.kind === "removed") removed.push(line);
    else if (line?.kind === "added") added.push(line);
    else {
      flush();
      pairs.push(line === null ? null : [line, line]);
    }
  }
  flush();
  return pairs;
}
