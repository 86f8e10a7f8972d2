// @ts-check
import { formatLatency, formatUtc } from "./format.js";
import { html } from "./html.js";

/** Probes that the server remembers of a backend. */
const cells = 20;

/**
 * @typedef {object} Probe
 * @property {string} at
 * @property {boolean} healthy
 * @property {number} latency_ms
 * @property {string | null} [error]
 */

/**
 * The last probes of a backend, oldest first: filled when it answered, cut in two when it did not, hollow for those that
 * have not been made yet.
 * @param {{ history: readonly Probe[] }} props
 */
export function ProbeStrip({ history }) {
  const shown = history.slice(-cells);
  const failed = shown.filter(({ healthy }) => !healthy).length;
  const summary = shown.length === 0
    ? "No probe yet"
    : failed === 0
    ? `All of the last ${shown.length} probes passed`
    : `${failed} of the last ${shown.length} probes failed`;
  const missing = Array.from({ length: cells - shown.length }, () => null);
  return html`<span class="strip" role="img" aria-label=${summary}>${
    [...missing, ...shown].map((probe, index) =>
      probe === null ? html`<span key=${index} class="cell"></span>` : html`
        <span key=${index} class="cell ${probe.healthy ? "cell-ok" : "cell-bad"}"
          title=${describeProbe(probe)}></span>
      `
    )
  }</span>`;
}

/**
 * A probe in words, for the cell that is pointed at.
 * @param {Probe} probe
 */
function describeProbe({ at, healthy, latency_ms, error }) {
  const outcome = healthy ? formatLatency(latency_ms) : `failed${error ? `: ${error}` : ""}`;
  return `${formatUtc(Date.parse(at))}\n${outcome}`;
}

/**
 * The state of a backend in a word.
 * @param {{ healthy?: boolean | null, last_probe_at?: string | null }} backend
 * @returns {{ kind: "ok" | "bad" | "neutral", word: string }}
 */
export function healthState({ healthy, last_probe_at: lastProbe }) {
  if (!lastProbe) return { kind: "neutral", word: "Not checked yet" };
  return healthy ? { kind: "ok", word: "Reachable" } : { kind: "bad", word: "Unreachable" };
}
