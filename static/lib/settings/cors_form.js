// @ts-check
/// <reference lib="dom" />
import { t } from "../i18n.js";
import { Button, EmptyState, html } from "../ui.js";
import { corsMethods, corsPresets, newCorsRule } from "./cors_rules.js";
import { LinesField, listProblem, NumberField, replaced, RuleCard } from "./rule_fields.js";

/** @import { CorsRule } from "./cors_rules.js" */
/** @import { FormProps } from "./section.js" */
/** @import { TypedNumber } from "../typed_numbers.js" */
/** @typedef {{ rules: CorsRule[] }} CorsValue */

/**
 * The CORS rules of a bucket, one card each.
 * @param {FormProps<CorsValue>} props
 */
export function CorsForm({ value: { rules }, onChange, disabled, problemAt }) {
  const set = (/** @type {CorsRule[]} */ changed) => onChange({ rules: changed });
  const add = (/** @type {CorsRule} */ rule) => set([...rules, structuredClone(rule)]);
  return html`
    <div class="rules">
      ${rules.length === 0 && html`
        <${EmptyState} icon="filter" title=${t("settings.cors_none")}>${t(
          "settings.cors_none_text",
        )} ${!disabled && t("settings.cors_begin")}<//>
      `}
      ${rules.map((rule, place) =>
        html`
          <${CorsCard} key=${place} rule=${rule} place=${place} disabled=${disabled} problemAt=${problemAt}
            onChange=${(/** @type {CorsRule} */ changed) => set(replaced(rules, place, changed))}
            onRemove=${() => set(rules.filter((_, index) => index !== place))}
            onCopy=${() => add({ ...rule, id: undefined, unmodeled: undefined })} />
        `
      )}
      ${!disabled && html`
        <div class="row">
          <${Button} icon="plus" onClick=${() => add(newCorsRule())}>${t("settings.add_rule")}<//>
          <${Button} kind="quiet" icon="plus" onClick=${() => add(corsPresets.app)}>${t(
            "settings.preset_app",
          )}<//>
          <${Button} kind="quiet" icon="plus" onClick=${() => add(corsPresets.fonts)}>${t(
            "settings.preset_fonts",
          )}<//>
          <${Button} kind="quiet" icon="plus" onClick=${() => add(corsPresets.all)}>${t(
            "settings.preset_all",
          )}<//>
        </div>
      `}
    </div>
  `;
}

/**
 * @param {{
 *   rule: CorsRule, place: number, disabled: boolean, problemAt: (path: string) => string | undefined,
 *   onChange: (rule: CorsRule) => void, onRemove: () => void, onCopy: () => void
 * }} props
 */
function CorsCard({ rule, place, disabled, problemAt, onChange, onRemove, onCopy }) {
  const path = `rules.${place}`;
  const list = (
    /** @type {"allowed_origins" | "allowed_headers" | "expose_headers"} */ field,
    /** @type {string} */ label,
    /** @type {string} */ placeholder,
  ) =>
    html`
      <${LinesField} label=${label} placeholder=${placeholder} lines=${rule[field] ?? []}
        error=${listProblem(problemAt, `${path}.${field}`, (rule[field] ?? []).length)}
        onChange=${(/** @type {string[]} */ lines) => onChange({ ...rule, [field]: lines })} />
    `;
  const toggle = (/** @type {string} */ method) =>
    onChange({
      ...rule,
      allowed_methods: corsMethods.filter((one) => (one === method) !== rule.allowed_methods.includes(one)),
    });
  const methodProblem = listProblem(problemAt, `${path}.allowed_methods`, rule.allowed_methods.length);
  return html`
    <${RuleCard} title=${rule.id ?? t("settings.rule_number", { n: place + 1 })} error=${problemAt(path)}
      disabled=${disabled} onRemove=${onRemove} onCopy=${onCopy}>
      ${list("allowed_origins", t("settings.cors_origins"), "https://app.example.com")}
      <fieldset class="field">
        <legend class="legend">${t("settings.cors_methods")}</legend>
        <div class="row method-row">${corsMethods.map((method) =>
          html`
            <label key=${method} class="check"><input type="checkbox" checked=${rule.allowed_methods.includes(
              method,
            )}
              aria-invalid=${methodProblem ? "true" : undefined} onChange=${() => toggle(method)} /> <span
              class="mono">${method}</span></label>
          `
        )}</div>
        ${methodProblem && html`<p class="field-error">${methodProblem}</p>`}
      </fieldset>
      <div class="field-row">
        ${list("allowed_headers", t("settings.cors_headers"), "Authorization")}
        ${list("expose_headers", t("settings.cors_expose"), "ETag")}
      </div>
      <${NumberField} label=${t("settings.cors_max_age")} unit="s" value=${rule.max_age_seconds}
        error=${problemAt(`${path}.max_age_seconds`)}
        onChange=${(/** @type {TypedNumber} */ seconds) => onChange({ ...rule, max_age_seconds: seconds })} />
      ${(rule.unmodeled ?? []).length > 0 &&
        html`<p class="field-hint">${
          t("settings.unmodeled", { names: (rule.unmodeled ?? []).join(", ") })
        }</p>`}
      <//>
  `;
}
