// @ts-check
/// <reference lib="dom" />
import { part } from "./part.js";

/**
 * A file to be sent, and the folders that it was in, parted by slashes.
 * @typedef {{ file: File, folder: string }} Found
 */

/**
 * A file and its row.
 * @typedef {object} Sending
 * @property {Found} found
 * @property {HTMLElement} row
 * @property {"waiting" | "sending" | "done" | "failed" | "refused"} state `refused` for what no further try helps
 * @property {XMLHttpRequest | null} request
 * @property {number} loaded bytes that have left
 * @property {number} tries
 */

/** What systems put into folders for themselves. */
const ownFiles = new Set([".DS_Store", "Thumbs.db", "desktop.ini"]);

/** @param {Found} found */
export function isWanted({ file, folder }) {
  return folder === "" || !ownFiles.has(file.name);
}

/**
 * A file that nothing has become of yet, with a row as the server has drawn it.
 * @param {HTMLTemplateElement} template
 * @param {Found} found
 * @returns {Sending}
 */
export function newSending(template, found) {
  const { firstElementChild } = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  const row = /** @type {HTMLElement} */ (firstElementChild);
  const sending = { found, row, state: /** @type {const} */ ("waiting"), request: null, loaded: 0, tries: 0 };
  part(row, "bdi").textContent = pathOf(sending);
  return sending;
}

/**
 * Draws the state of a file.
 * @param {Sending} sending
 * @param {string} text
 * @param {string} action label of its button
 */
export function drawState(sending, text, action) {
  const { row, state } = sending;
  row.dataset.state = state;
  drawText(sending, text);
  const button = /** @type {HTMLButtonElement} */ (part(row, "button"));
  button.hidden = state === "done";
  button.textContent = action;
  button.setAttribute("aria-label", `${action}: ${pathOf(sending)}`);
  const progress = part(row, "progress");
  progress.hidden = state !== "sending";
  progress.setAttribute("aria-label", pathOf(sending));
}

/**
 * Draws how far a file is, as a share of 1.
 * @param {Sending} sending
 * @param {number} share
 * @param {string} text
 */
export function drawShare(sending, share, text) {
  /** @type {HTMLProgressElement} */ (part(sending.row, "progress")).value = share;
  drawText(sending, text);
}

/** @param {Sending} sending @param {string} text */
function drawText({ row }, text) {
  part(row, ".share-file-state").textContent = text;
}

/** @param {Sending} sending */
function pathOf({ found: { file, folder } }) {
  return folder === "" ? file.name : `${folder}/${file.name}`;
}

/** Tells a text in a live region, once. @param {HTMLElement} box @param {string} text */
export function say(box, text) {
  if (box.textContent !== text) box.textContent = text;
}
