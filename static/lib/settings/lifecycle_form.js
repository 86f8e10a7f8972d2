// @ts-check
/// <reference lib="dom" />
import { Field } from "../fields.js";
import { t } from "../i18n.js";
import { useElementId } from "../ids.js";
import { Button, EmptyState, html } from "../ui.js";
import { LifecycleFilterFields } from "./lifecycle_filter_fields.js";
import { lifecycleWords } from "./lifecycle_words.js";
import { NumberField, replaced, RuleCard } from "./rule_fields.js";

/** @import { LifecycleRule } from "./lifecycle_rules.js" */
/** @import { FormProps } from "./section.js" */
/** @import { TypedNumber } from "../typed_numbers.js" */
/** @typedef {{ rules: LifecycleRule[] }} LifecycleValue */

/** Storage classes that S3 servers know; others can be typed. */
const storageClasses = [
  "STANDARD_IA",
  "ONEZONE_IA",
  "INTELLIGENT_TIERING",
  "GLACIER_IR",
  "GLACIER",
  "DEEP_ARCHIVE",
];

/**
 * The lifecycle rules of a bucket, one card each with what it does in words.
 * @param {FormProps<LifecycleValue>} props
 */
export function LifecycleForm(
  { value: { rules }, onChange, disabled, problemAt },
) {
  const set = (/** @type {LifecycleRule[]} */ changed) => onChange({ rules: changed });
  const add = (/** @type {Partial<LifecycleRule>} */ rule) =>
    set([...rules, { id: freeId(rules), prefix: "", enabled: true, ...rule }]);
  return html`
    <div class="rules">
      ${rules.length === 0 && html`
        <${EmptyState} icon="clock" title=${t("settings.lifecycle_none")}>${t(
          "settings.lifecycle_none_text",
        )}<//>
      `}
      ${rules.map((rule, place) =>
        html`
          <${LifecycleCard} key=${place} rule=${rule} place=${place} disabled=${disabled} problemAt=${problemAt}
            onChange=${(/** @type {LifecycleRule} */ changed) => set(replaced(rules, place, changed))}
            onRemove=${() => set(rules.filter((_, index) => index !== place))} />
        `
      )}
      ${!disabled && html`
        <div class="row">
          <${Button} icon="plus" onClick=${() => add({ expiration_days: 30 })}>${t("settings.add_rule")}<//>
          <${Button} kind="quiet" icon="plus" onClick=${() => add({ abort_incomplete_days: 7 })}>${t(
            "settings.preset_uploads",
          )}<//>
          <${Button} kind="quiet" icon="plus" onClick=${() => add({ noncurrent_expire_days: 90 })}>${t(
            "settings.preset_versions",
          )}<//>
        </div>
      `}
    </div>
  `;
}

/** @param {readonly LifecycleRule[]} rules */
function freeId(rules) {
  const taken = new Set(rules.map(({ id }) => id));
  let number = rules.length + 1;
  while (taken.has(`rule-${number}`)) number++;
  return `rule-${number}`;
}

/**
 * @param {{
 *   rule: LifecycleRule, place: number, disabled: boolean, problemAt: (path: string) => string | undefined,
 *   onChange: (rule: LifecycleRule) => void, onRemove: () => void
 * }} props
 */
function LifecycleCard({ rule, place, disabled, problemAt, onChange, onRemove }) {
  const path = `rules.${place}`;
  const set = (/** @type {Partial<LifecycleRule>} */ changes) => onChange({ ...rule, ...changes });
  const days = (
    /** @type {import("./lifecycle_rules.js").dayFields[number]} */ field,
    /** @type {string} */ label,
  ) =>
    html`
      <${NumberField} label=${label} unit=${t("settings.days")} value=${rule[field]} error=${problemAt(
        `${path}.${field}`,
      )}
        onChange=${(/** @type {TypedNumber} */ value) => set({ [field]: value })} />
    `;
  const words = lifecycleWords(rule);
  const title = rule.id ?? t("settings.rule_number", { n: place + 1 });
  return html`
    <${RuleCard} title=${title} error=${problemAt(
      path,
    )} disabled=${disabled} onRemove=${onRemove} state=${html`
      <label
        class="check"><input type="checkbox" checked=${rule.enabled} onChange=${() =>
          set({ enabled: !rule.enabled })} /><span>${t("settings.rule_enabled")}</span></label>
    `}>
      <div class="rule-words">
        ${!rule.enabled && html`<p class="muted">${t("settings.rule_off")}</p>`}
        ${words.map((sentence) =>
          html`<p key=${sentence} class=${rule.enabled ? "" : "muted"}>${sentence}</p>`
        )}
      </div>
      <div class="field-row">
        <${TextField} label=${t("settings.rule_id")} value=${rule.id ?? ""} error=${problemAt(`${path}.id`)}
          onChange=${(/** @type {string} */ id) => set({ id: id === "" ? undefined : id })} />
        <${TextField} label=${t("settings.prefix")} value=${rule.prefix ?? ""} placeholder="logs/"
          hint=${t("settings.prefix_hint")} error=${problemAt(`${path}.prefix`)}
          onChange=${(/** @type {string} */ prefix) => set({ prefix })} />
      </div>
      <${LifecycleFilterFields} rule=${rule} path=${path} problemAt=${problemAt} onChange=${set} />
      <div class="field-row">
        ${days("expiration_days", t("settings.lifecycle_expire"))}
        ${days("abort_incomplete_days", t("settings.lifecycle_abort"))}
        ${days("transition_days", t("settings.lifecycle_transition"))}
        <${ClassField} value=${rule.transition_storage_class ?? ""}
          error=${problemAt(`${path}.transition_storage_class`)}
          onChange=${(/** @type {string} */ name) =>
            set({ transition_storage_class: name === "" ? undefined : name })} />
        ${days("noncurrent_expire_days", t("settings.lifecycle_noncurrent"))}
        <${NumberField} label=${t("settings.lifecycle_keep")} unit=${t("settings.versions")}
          value=${rule.noncurrent_keep_versions} error=${problemAt(`${path}.noncurrent_keep_versions`)}
          onChange=${(/** @type {TypedNumber} */ value) => set({ noncurrent_keep_versions: value })} />
      </div>
      <//>
  `;
}

/**
 * @param {{
 *   label: string, value: string, error?: string, hint?: any, placeholder?: string, list?: string,
 *   onChange: (text: string) => void
 * }} props
 */
function TextField({ label, value, error, hint, placeholder, list, onChange }) {
  return html`
    <${Field} label=${label} error=${error} hint=${hint} control=${(/** @type {any} */ attributes) =>
      html`
        <input class="input mono" spellcheck=${false} autocapitalize="off" placeholder=${placeholder} list=${list}
          value=${value} onInput=${(/** @type {any} */ event) =>
            onChange(event.target.value)} ...${attributes} />
      `} />
  `;
}

/** @param {{ value: string, error?: string, onChange: (name: string) => void }} props */
function ClassField({ value, error, onChange }) {
  const id = useElementId();
  return html`
    <${TextField} label=${t(
      "settings.lifecycle_class",
    )} value=${value} error=${error} placeholder="STANDARD_IA"
      list=${id} onChange=${onChange} />
    <datalist id=${id}>${storageClasses.map((name) =>
      html`<option key=${name} value=${name}></option>`
    )}</datalist>
  `;
}
