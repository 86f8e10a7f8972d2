// @ts-check

/** @typedef {"replace" | "keep_both" | "skip"} ConflictChoice */

/**
 * The key for an upload that stands beside an object of the same name: `report.csv` becomes `report (1).csv`,
 * `archive.tar.gz` becomes `archive (1).tar.gz`, `.profile` becomes `.profile (1)`.
 *
 * @param {string} key
 * @param {number} copy counted from 1
 */
export function keyBeside(key, copy) {
  const slash = key.lastIndexOf("/") + 1;
  const name = key.slice(slash);
  const extension = /(?<=.)(?:\.tar)?\.[^.\s]{1,10}$/u.exec(name)?.[0] ?? "";
  const stem = name.slice(0, name.length - extension.length);
  return `${key.slice(0, slash)}${stem} (${copy})${extension}`;
}
