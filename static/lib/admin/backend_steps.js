// @ts-check
import { causeText } from "../backend_failure.js";
import { formatDuration, formatLatency } from "../format.js";
import { t } from "../i18n.js";
import { html, Icon } from "../ui.js";
import { featureNames } from "./feature_names.js";

/** @typedef {import("../i18n.js").MessageKey} MessageKey */
/** @typedef {import("../../../src/backends/connection_steps.ts").ConnectionStep} Step */

/**
 * The steps of a test that lead to the backend, in their order; those after them ask what it has.
 * @type {ReadonlyArray<readonly [Step["name"], MessageKey]>}
 */
const waySteps = [
  ["resolve", "backends.step_resolve"],
  ["connect", "backends.step_connect"],
  ["tls", "backends.step_tls"],
  ["sign", "backends.step_sign"],
  ["list", "backends.step_list"],
];

/**
 * What there is to say of a step besides the causes of failures, by the reason that the API gives.
 * @type {Readonly<Record<string, MessageKey>>}
 */
const circumstances = {
  denied: "backends.reason_denied",
  internal: "backends.reason_refused",
  other_way: "backends.reason_other_way",
  not_encrypted: "backends.reason_not_encrypted",
  unsigned: "backends.reason_unsigned",
};

/** @type {Readonly<Record<Step["state"], MessageKey>>} */
const stateWords = {
  ok: "backends.state_ok",
  failed: "backends.state_failed",
  missing: "backends.state_missing",
  unknown: "backends.state_unknown",
  skipped: "backends.state_skipped",
};

/** @type {Readonly<Record<Step["state"], string>>} */
const stateIcons = { ok: "check", failed: "close", missing: "minus", unknown: "info", skipped: "minus" };

/** Clocks that differ by less than this are not what a signature fails on: S3 allows 15 minutes, some servers 5. */
const notableClockDifference = 60;

/**
 * The way to a backend, step by step, as far as it was tested.
 * @param {{ found: readonly Step[] | null, busy: boolean }} props `found` is `null` before a test
 */
export function BackendSteps({ found, busy }) {
  const list = (/** @type {typeof waySteps} */ steps) =>
    html`<ol class="backend-steps">${
      steps.map(([name, label]) =>
        html`
          <${StepRow} key=${name} label=${t(label)} busy=${busy}
            step=${found?.find((step) => step.name === name)} />
        `
      )
    }</ol>`;
  return html`
    <section class="backend-checks" aria-labelledby="backend-checks">
      <h3 id="backend-checks">${t("backends.checks")}</h3>
      ${list(waySteps)}
      <h3>${t("backends.features")}</h3>
      ${found?.some(({ reason }) => reason === "no_bucket") &&
        html`
          <p class="step-why">${t("backends.reason_no_bucket")}</p>
        `}
      ${list(featureNames)}
    </section>
  `;
}

/** @param {{ label: string, step?: Step, busy: boolean }} props */
function StepRow({ label, step, busy }) {
  if (step === undefined) {
    return html`<li class="backend-step"><span class="step-mark ${busy ? "step-busy" : ""}"></span>
      <span class="muted">${label}</span></li>`;
  }
  const { state, latency_ms: latency } = step;
  const why = reasonText(step);
  return html`
    <li class="backend-step">
      <span class="step-mark step-${state}"><${Icon} name=${stateIcons[state]} /></span>
      <span class=${state === "skipped" ? "muted" : ""}>${label}
        <span class="visually-hidden">: ${t(stateWords[state])}</span></span>
      <span class="step-time number">${state === "missing" || state === "unknown"
        ? t(stateWords[state])
        : latency === undefined
        ? ""
        : formatLatency(latency)}</span>
      ${why !== "" && html`<p class="step-why">${why}</p>`}
    </li>
  `;
}

/**
 * Cause and fix of the first step that failed; empty when none did, or when its reason has no words.
 * @param {readonly Step[]} found
 */
export function failureText(found) {
  const failed = found.find(({ state }) => state === "failed");
  return failed === undefined ? "" : reasonText(failed);
}

/**
 * Why a step is not done, and what to do; empty when there is nothing to say.
 * @param {Step} step
 */
function reasonText(step) {
  const circumstance = circumstances[step.reason ?? ""];
  const why = causeText(step.reason) || (circumstance === undefined ? "" : t(circumstance));
  return why === "" ? "" : why + clockText(step);
}

/**
 * What the clocks have to do with a refused signature.
 * @param {Step} step
 */
function clockText({ clock_difference_seconds: difference = 0 }) {
  if (Math.abs(difference) < notableClockDifference) return "";
  const time = formatDuration(Math.abs(difference));
  return ` ${difference > 0 ? t("backends.clock_ahead", { time }) : t("backends.clock_behind", { time })}`;
}
