// @ts-check
/// <reference lib="dom" />

/** A column that can be left out. @typedef {"type" | "class" | "owner"} Column */

/** @type {readonly Column[]} */
export const optionalColumns = ["type", "class", "owner"];

/**
 * Whether a part of a row is a column that can be left out.
 *
 * @param {string} name
 * @returns {name is Column}
 */
export function isColumn(name) {
  return optionalColumns.some((column) => column === name);
}

/** What is shown until someone chooses. @type {readonly Column[]} */
export const usualColumns = ["class"];

/** The columns that this browser remembers. */
export function rememberedColumns() {
  const kept = localStorage.getItem("columns");
  return kept === null ? usualColumns : optionalColumns.filter((column) => kept.split(" ").includes(column));
}

/**
 * Shows columns. Who owns the objects is listed only for who wants to see it.
 *
 * @param {import("./browser.js").Browser} browser
 * @param {readonly Column[]} columns
 */
export function showColumns(browser, columns) {
  const { loader } = browser;
  browser.columns.value = columns;
  const isNew = !loader.owner && columns.includes("owner");
  loader.owner = columns.includes("owner");
  if (isNew) browser.reload();
}

/** @param {readonly Column[]} columns */
export function rememberColumns(columns) {
  localStorage.setItem("columns", columns.join(" "));
}
