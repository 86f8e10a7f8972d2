// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { formatBytes, formatNumber } from "../format.js";
import { t } from "../i18n.js";
import { Button, html, Notice } from "../ui.js";
import { countableRules, estimateExpiry } from "./lifecycle_estimate.js";

/** @import { Estimate } from "./lifecycle_estimate.js" */
/** @import { LifecycleRule } from "./lifecycle_rules.js" */

/** @typedef {{ state: "running" | "done" | "stopped" | "failed", estimate: Estimate, message: string }} Count */

/** @type {Estimate} */
const nothing = { objects: 0, bytes: 0, scanned: 0, unknown: 0, firstKey: "" };

/**
 * Counts on demand what the rules in the form would delete today.
 * @param {{ backend: string, bucket: string, rules: readonly LifecycleRule[] }} props
 */
export function ExpiryEstimate({ backend, bucket, rules }) {
  const [count, setCount] = useState(/** @type {Count | null} */ (null));
  const abort = useRef(/** @type {AbortController | null} */ (null));
  const countable = countableRules(rules);
  const fingerprint = JSON.stringify(countable);
  useEffect(() => () => abort.current?.abort(), []);
  useEffect(() => {
    abort.current?.abort();
    setCount(null);
  }, [fingerprint]);
  const start = async () => {
    const running = new AbortController();
    abort.current = running;
    setCount({ state: "running", estimate: nothing, message: "" });
    let estimate = nothing;
    const tell = (/** @type {Count["state"]} */ state, /** @type {string} */ message = "") => {
      if (abort.current === running) setCount({ state, estimate, message });
    };
    try {
      await estimateExpiry(
        { backend, bucket, rules: countable, now: Date.now(), signal: running.signal },
        (found) => {
          estimate = found;
          tell("running");
        },
      );
      tell("done");
    } catch (error) {
      tell(
        running.signal.aborted ? "stopped" : "failed",
        error instanceof Error ? error.message : String(error),
      );
    }
  };
  if (countable.length === 0) return null;
  return html`
    <section class="card card-body estimate" aria-labelledby="estimate">
      <h3 id="estimate">${t("settings.estimate")}</h3>
      <p class="muted">${t("settings.estimate_about")}</p>
      <div class="row">
        ${count?.state === "running"
          ? html`<${Button} icon="stop" onClick=${() => abort.current?.abort()}>${t("common.stop")}<//>`
          : html`<button type="button" class="button" onClick=${start}>${
            t("settings.estimate_start")
          }</button>`}
      </div>
      <div role="status">${count && html`<${CountWords} count=${count} />`}</div>
    </section>
  `;
}

/** @param {{ count: Count }} props */
function CountWords({ count: { state, estimate: { objects, bytes, scanned, unknown, firstKey }, message } }) {
  const so = t("settings.estimate_scanned", { scanned: t("common.objects", { n: scanned }) });
  if (state === "running") return html`<p class="muted">${so}</p>`;
  if (state === "failed") return html`<${Notice} kind="bad">${message} ${so}<//>`;
  const found = t("settings.estimate_found", { n: objects, size: formatBytes(bytes) });
  return html`
    <${Notice} kind=${objects > 0 ? "warn" : "ok"}><strong>${found}</strong> ${state === "stopped"
      ? t("settings.estimate_stopped", { scanned: formatNumber(scanned) })
      : so}${unknown > 0 && ` ${t("settings.estimate_unknown", { n: unknown })}`}${firstKey !== "" &&
      html`<br /><span class="mono break">${t("settings.estimate_first", { key: firstKey })}</span>`}<//>
  `;
}
