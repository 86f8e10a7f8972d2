// @ts-check
import { formatDuration } from "../format.js";
import { t } from "../i18n.js";
import { Button, html, Notice } from "../ui.js";
import { maxMatches } from "./key_scan.js";
import { FoundObjects } from "./search_results.js";

/** @import { KeyScan } from "./key_scan.js" */
/** @import { BackendNames } from "./search_results.js" */
/** @import { SearchScope } from "./search_scope.js" */

/**
 * The search for keys that contain the text: how far it is, what was found, and whether it goes on.
 *
 * @param {{
 *   scan: KeyScan | null, query: string, scope: SearchScope, names: BackendNames, now: number, start: () => void
 * }} props
 */
export function ScanPanel({ scan, query, scope, names, now, start }) {
  const { bucket, prefix } = scope;
  if (scan === null) {
    const place = prefix === "" ? bucket : `${bucket}/${prefix}`;
    return html`
      <div class="scan-head">
        <p>${t("search.scan_offer", { query, place })}</p>
        <${Button} icon="search" onClick=${start}>${t("search.scan_start")}<//>
      </div>
    `;
  }
  const { state, scanned, total, milliseconds, matches, error } = scan.progress.value;
  const facts = [
    ...state !== "done" && total !== null && total > scanned ? [t("search.scan_total", { n: total })] : [],
    formatDuration(milliseconds / 1000),
    t("search.scan_matches", { n: matches.length }),
  ];
  const goesOn = state === "stopped" || state === "paused" || state === "failed";
  return html`
    <div class="scan-head">
      <p role="status">${statusText(state, scanned)} <span class="muted">${facts.join(" · ")}</span></p>
      ${state === "running" &&
        html`<${Button} icon="stop" onClick=${() => scan.stop()}>${t("common.stop")}<//>`}
      ${goesOn && html`<${Button} icon="play" onClick=${() => scan.run()}>${t("search.keep_going")}<//>`}
    </div>
    ${state === "running" && html`<progress class="progress" aria-label=${t("search.scanning")}></progress>`}
    ${error !== "" && html`<${Notice} kind="bad" role="alert">${t("search.scan_failed", { error })}<//>`}
    ${state === "full" && html`<${Notice} kind="warn">${t("search.scan_full", { n: maxMatches })}<//>`}
    <${FoundObjects} objects=${matches} query=${query} prefix=${prefix} names=${names} now=${now} />
  `;
}

/**
 * @param {import("./key_scan.js").ScanState["state"]} state
 * @param {number} scanned
 */
function statusText(state, scanned) {
  if (state === "running") return t("search.scan_running", { n: scanned });
  return state === "done" ? t("search.scan_done", { n: scanned }) : t("search.scan_so_far", { n: scanned });
}
