// @ts-check
/// <reference lib="dom" />

/** How far is what goes on, from 0 to 1: what the user sends comes before what the server does. */
const fractions = { uploads: /** @type {number | null} */ (null), jobs: /** @type {number | null} */ (null) };

/**
 * Writes how far something is in front of the page's title.
 * @param {keyof typeof fractions} what
 * @param {number | null} fraction 0 to 1; `null` once it is over, or while nobody knows
 */
export function showInTitle(what, fraction) {
  fractions[what] = fraction;
  const shown = fractions.uploads ?? fractions.jobs;
  const plain = document.title.replace(/^\(\d+\s?%\) /, "");
  const title = shown === null ? plain : `(${Math.floor(shown * 100)}%) ${plain}`;
  if (document.title !== title) document.title = title;
}
