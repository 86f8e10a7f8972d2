// @ts-check

/** Dark and light modules as a finder has them, with the light ones before or after it. */
const finderLike = /(?=10111010000|00001011101)/g;

/**
 * How hard a code would be to read (ISO/IEC 18004:2015, 7.8.3): runs and blocks of one colour, what looks like a finder, and
 * an imbalance of dark and light all count. Of the eight masks, the one with the least is taken.
 *
 * @param {boolean[][]} modules
 */
export function penalty(modules) {
  const size = modules.length;
  const rows = modules.map(lineText);
  const columns = modules.map((_, column) => lineText(modules.map((line) => line[column])));
  let sum = 0;
  for (const line of [...rows, ...columns]) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    sum += 40 * [...line.matchAll(finderLike)].length;
  }
  for (let row = 1; row < size; row++) {
    for (let column = 1; column < size; column++) {
      const dark = modules[row][column];
      const same = modules[row - 1][column] === dark && modules[row][column - 1] === dark &&
        modules[row - 1][column - 1] === dark;
      if (same) sum += 3;
    }
  }
  const dark = rows.join("").replaceAll("0", "").length;
  return sum + 10 * Math.floor(Math.abs(dark * 20 / (size * size) - 10));
}

/** @param {boolean[]} line */
function lineText(line) {
  return line.map((dark) => dark ? "1" : "0").join("");
}
