// @ts-check
/// <reference lib="dom" />
import { formatDuration } from "../format.js";

/**
 * How far something is: `fraction` from 0 to 1, `secondsLeft` while that is known.
 * @typedef {{ fraction: number, secondsLeft: number | null }} Progress
 */

/** What goes on: what the user sends comes before what the server does. */
const underWay = {
  uploads: /** @type {Progress | null} */ (null),
  jobs: /** @type {Progress | null} */ (null),
};

/** Sizes of the steps in which the time left is told, in seconds: each change of the title is seen. */
const minute = 60;
const longSteps = 10 * minute;

/**
 * Writes how far something is in front of the page's title.
 * @param {keyof typeof underWay} what
 * @param {Progress | null} progress `null` once it is over, or while nobody knows
 */
export function showInTitle(what, progress) {
  underWay[what] = progress;
  const shown = underWay.uploads ?? underWay.jobs;
  const plain = document.title.replace(/^\(\d+%[^)]*\) /, "");
  const title = shown === null ? plain : `(${progressText(shown)}) ${plain}`;
  if (document.title !== title) document.title = title;
}

/** @param {Progress} progress */
function progressText({ fraction, secondsLeft }) {
  const percent = `${Math.floor(fraction * 100)}%`;
  if (secondsLeft === null || secondsLeft < minute) return percent;
  const step = secondsLeft < 60 * minute ? minute : longSteps;
  return `${percent}, ${formatDuration(Math.ceil(secondsLeft / step) * step)}`;
}
