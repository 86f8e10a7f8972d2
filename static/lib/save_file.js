// @ts-check
/// <reference lib="dom" />

/** Milliseconds after which a browser has begun to save what it was given, however slow it is. */
const untilSaved = 60_000;

/**
 * Saves a file that the page itself has made.
 * @param {string} name
 * @param {Blob | string} content
 */
export function saveFile(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), untilSaved);
}
