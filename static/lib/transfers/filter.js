// @ts-check
import { hasEnded } from "../jobs/job.js";

/** @import { MessageKey } from "../i18n.js" */
/** @import { Job } from "../jobs/job.js" */

/**
 * What the page of transfers shows, as its address says it.
 * @typedef {{ scope: "own" | "all", state: "" | "open" | "done" | "trouble" }} TransferFilter
 */

/** @type {ReadonlyArray<readonly [TransferFilter["state"], MessageKey]>} */
export const filterStates = [
  ["", "common.all"],
  ["open", "transfers.state_open"],
  ["done", "transfers.state_done"],
  ["trouble", "transfers.state_trouble"],
];

/**
 * @param {string} search the query of the page's address
 * @returns {TransferFilter}
 */
export function filterOf(search) {
  const query = new URLSearchParams(search);
  const [state] = filterStates.find(([state]) => state === query.get("state")) ?? filterStates[0];
  return { scope: query.get("scope") === "all" ? "all" : "own", state };
}

/**
 * The address of the page that shows this.
 * @param {TransferFilter} filter
 */
export function transfersPage({ scope, state }) {
  const query = new URLSearchParams();
  if (scope === "all") query.set("scope", scope);
  if (state !== "") query.set("state", state);
  return query.size === 0 ? "/transfers" : `/transfers?${query}`;
}

/**
 * Whether a job is among those that are shown.
 * @param {Job} job
 * @param {TransferFilter["state"]} state
 */
export function matches(job, state) {
  const trouble = job.failed > 0 || ["failed", "interrupted"].includes(job.state);
  if (state === "open") return !hasEnded(job);
  if (state === "done") return hasEnded(job) && !trouble;
  return state === "" || trouble;
}
