// @ts-check
import { formatLatency } from "../format.js";
import { t } from "../i18n.js";
import { html, Notice } from "../ui.js";
import { failureText } from "./backend_steps.js";

/**
 * What came of the test of a backend.
 * @typedef {{ ok: boolean, latency_ms?: number, buckets?: string[], error?: string,
 *   steps: import("./backend_steps.js").Step[] }} TestOutcome
 */

/**
 * Why a test failed: by its first step that did, else in the server's words.
 * @param {TestOutcome} result
 */
export function whyFailed({ steps, error }) {
  return failureText(steps) || error;
}

/** @param {{ result: TestOutcome }} props */
export function TestResult({ result }) {
  const { ok, latency_ms: latency = 0, buckets } = result;
  if (!ok) {
    const why = failureText(result.steps);
    return html`<${Notice} kind="bad"><strong>${t("backends.test_failed")}</strong> ${why}${why && " "}<span
      class=${why === "" ? "" : "muted"} lang="en">${result.error}</span><//>`;
  }
  const latencyText = formatLatency(latency);
  return html`<${Notice} kind="ok"><strong>${t("backends.it_works")}</strong> ${
    buckets === undefined
      ? t("backends.answered_without_list", { latency: latencyText })
      : t("backends.answered", { latency: latencyText, n: buckets.length })
  }<//>`;
}
