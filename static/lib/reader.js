// @ts-check
/// <reference lib="dom" />
import { readBootData } from "./boot_data.js";

/** @import { Me } from "./boot_data.js" */

/** For whom the server draws the page that it is drawing. @type {Me | null} */
let drawnFor = null;

/**
 * Sets for whom the server draws from now on.
 * @param {Me | null} me
 */
export function drawFor(me) {
  drawnFor = me;
}

/** Whether who reads this looks after the backends, and can do something about what is wrong with them. */
export function runsBackends() {
  return (globalThis.document === undefined ? drawnFor : readerOfPage())?.can.read_health === true;
}

/** Who is signed in; nobody on a page that tells its script nothing. */
function readerOfPage() {
  return document.getElementById("boot") === null ? null : readBootData().me;
}
