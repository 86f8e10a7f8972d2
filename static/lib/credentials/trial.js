// @ts-check
/// <reference lib="dom" />
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { formatLatency } from "../format.js";
import { t } from "../i18n.js";
import { Button, html, Notice } from "../ui.js";

/** @import { Status } from "./credential.js" */

/**
 * What became of a trial, as the API answers it.
 *
 * @typedef {{
 *   ok: boolean, bucket: string, status: number, code: string, message: string, request_id: string, duration_ms: number
 * }} TrialResult
 */

/**
 * A button that lists an object with a credential through the S3 endpoint, and says what became of it.
 * @param {{ run: () => Promise<TrialResult>, status: Status }} props `status` is the credential's own
 */
export function Trial({ run, status }) {
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState(/** @type {TrialResult | null} */ (null));
  const [error, setError] = useState("");
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    // It stands at the end of a dialog, which may be longer than the screen.
    if (result !== null || error !== "") box.current?.scrollIntoView({ block: "nearest" });
  }, [result, error]);
  const test = async () => {
    setBusy(true);
    setError("");
    try {
      setResult(await run());
    } catch (failure) {
      setResult(null);
      setError(failure instanceof Error ? failure.message : String(failure));
    }
    setBusy(false);
  };
  return html`
    <div ref=${box} class="stack">
      <div class="row trial">
        <${Button} icon="play" busy=${busy} onClick=${test}>${t("credentials.test")}<//>
        <span class="field-hint">${t("credentials.test_hint")}</span>
      </div>
      <div role="status" class="trial-result">${result !== null &&
        html`<${Result} result=${result} status=${status} />`}</div>
      <div role="alert" class="trial-result">${error !== "" && html`<${Notice} kind="bad">${error}<//>`}</div>
    </div>
  `;
}

/** @param {{ result: TrialResult, status: Status }} props */
function Result({ result, status }) {
  const { ok, bucket, code, message, request_id: id, duration_ms: milliseconds } = result;
  if (ok) {
    return html`<${Notice} kind="ok">${
      t("credentials.test_ok", { bucket, time: formatLatency(milliseconds) })
    }<//>`;
  }
  return html`<${Notice} kind="bad">
    <p><strong>${code}${result.status > 0 && ` (${result.status})`}</strong> ${message}</p>
    <p>${adviceFor(code, status)}</p>
    ${id !== "" && html`<p class="faint mono">${t("common.request_id", { id })}</p>`}
  <//>`;
}

/**
 * What to do about a failure.
 * @param {string} code of the S3 error, or of what went wrong before there was one
 * @param {Status} status
 */
function adviceFor(code, status) {
  if (status === "disabled") return t("credentials.advice_disabled");
  if (status === "expired") return t("credentials.advice_expired");
  switch (code) {
    case "SecretUnreadable":
      return t("credentials.advice_unusable");
    case "NoSuchBucket":
      return t("credentials.advice_no_bucket");
    case "AccessDenied":
    case "InvalidAccessKeyId":
      return t("credentials.advice_denied");
    case "SlowDown":
      return t("credentials.advice_slow_down");
    case "NoAnswer":
    case "Timeout":
      return t("credentials.advice_no_answer");
    default:
      return t("credentials.advice_backend");
  }
}
