// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { Field } from "../fields.js";
import { t } from "../i18n.js";
import { html, Notice } from "../ui.js";
import { corsMethods } from "./cors_rules.js";
import { corsVerdict } from "./cors_verdict.js";

/** @import { CorsRule } from "./cors_rules.js" */
/** @import { CorsVerdict } from "./cors_verdict.js" */

/**
 * Tries what a browser would be told: computed from the rules as they stand in the form, without a request.
 * @param {{ rules: readonly CorsRule[] }} props
 */
export function CorsTest({ rules }) {
  const [origin, setOrigin] = useState("");
  const [method, setMethod] = useState("GET");
  const [headers, setHeaders] = useState("");
  const request = {
    origin: origin.trim(),
    method,
    headers: headers.split(",").map((name) => name.trim()).filter(Boolean),
  };
  const verdict = request.origin === "" ? null : corsVerdict(rules, request);
  return html`
    <section class="card card-body cors-test" aria-labelledby="cors-test">
      <h3 id="cors-test">${t("settings.cors_test")}</h3>
      <p class="muted">${t("settings.cors_test_about")}</p>
      <div class="cors-test-fields">
        <${Field} label=${t("settings.cors_test_origin")} control=${(/** @type {any} */ attributes) =>
          html`
            <input class="input mono" placeholder="https://app.example.com" spellcheck=${false} autocapitalize="off"
              value=${origin} onInput=${(/** @type {any} */ event) =>
                setOrigin(event.target.value)} ...${attributes} />
          `} />
        <${Field} label=${t("settings.cors_test_method")} control=${(/** @type {any} */ attributes) =>
          html`<select class="select" value=${method} onChange=${(/** @type {any} */ event) =>
            setMethod(event.target.value)} ...${attributes}>${
            corsMethods.map((name) => html`<option key=${name} value=${name}>${name}</option>`)
          }</select>`} />
        <${Field} label=${t("settings.cors_test_headers")} control=${(/** @type {any} */ attributes) =>
          html`
            <input class="input mono" placeholder="content-type, x-amz-date" spellcheck=${false}
              autocapitalize="off" value=${headers} onInput=${(/** @type {any} */ event) =>
                setHeaders(event.target.value)} ...${attributes} />
          `} />
      </div>
      <div role="status">${verdict && html`<${Verdict} verdict=${verdict} rules=${rules} />`}</div>
    </section>
  `;
}

/** @param {{ verdict: CorsVerdict, rules: readonly CorsRule[] }} props */
function Verdict({ verdict: { allowed, rule, preflight, reason, refusedHeaders }, rules }) {
  const name = rule < 0 ? "" : rules[rule].id ?? t("settings.rule_number", { n: rule + 1 });
  if (allowed) {
    return html`<${Notice} kind="ok"><strong>${t("settings.cors_allowed")}</strong> ${
      t("settings.cors_allowed_by", { name })
    } ${preflight ? t("settings.cors_preflight") : t("settings.cors_no_preflight")}<//>`;
  }
  const why = reason === "rules"
    ? t("settings.cors_no_rules")
    : reason === "origin"
    ? t("settings.cors_no_origin")
    : reason === "method"
    ? t("settings.cors_no_method", { name })
    : t("settings.cors_no_headers", { name, headers: refusedHeaders.join(", ") });
  return html`<${Notice} kind="bad"><strong>${t("settings.cors_blocked")}</strong> ${why}<//>`;
}
