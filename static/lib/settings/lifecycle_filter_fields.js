// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { allByteUnits } from "../byte_units.js";
import { Field } from "../fields.js";
import { html } from "../html.js";
import { t } from "../i18n.js";
import { parseTagLines, tagLines } from "./lifecycle_filter.js";
import { listProblem } from "./rule_fields.js";
import { SizeInput } from "./size_input.js";

/** @import { LifecycleRule } from "./lifecycle_rules.js" */
/** @import { TypedNumber } from "../typed_numbers.js" */

/**
 * Which objects a rule is about, besides their prefix.
 * @param {{
 *   rule: LifecycleRule, path: string, problemAt: (path: string) => string | undefined,
 *   onChange: (changes: Partial<LifecycleRule>) => void
 * }} props
 */
export function LifecycleFilterFields({ rule, path, problemAt, onChange }) {
  const { tags = [] } = rule;
  const tagProblem = tags.map((_, place) => problemAt(`${path}.tags.${place}.key`)).find(Boolean) ??
    listProblem(problemAt, `${path}.tags`, tags.length);
  const size = (
    /** @type {"larger_than_bytes" | "smaller_than_bytes"} */ field,
    /** @type {string} */ label,
  ) =>
    html`
      <${Field} label=${label} error=${problemAt(`${path}.${field}`)} control=${(
        /** @type {any} */ attributes,
      ) =>
        html`
          <${SizeInput} label=${label} bytes=${rule[field]} units=${allByteUnits()}
            placeholder=${t("settings.any_size")} attributes=${attributes}
            onChange=${(/** @type {TypedNumber} */ bytes) => onChange({ [field]: bytes })} />
        `} />
    `;
  return html`
    <${TagsField} tags=${tags} error=${tagProblem}
      onChange=${(/** @type {LifecycleRule["tags"]} */ tags) => onChange({ tags })} />
    <div class="field-row">
      ${size("larger_than_bytes", t("settings.lifecycle_larger_than"))}
      ${size("smaller_than_bytes", t("settings.lifecycle_smaller_than"))}
    </div>
  `;
}

/**
 * @param {{
 *   tags: NonNullable<LifecycleRule["tags"]>, error?: string, onChange: (tags: LifecycleRule["tags"]) => void
 * }} props
 */
function TagsField({ tags, error, onChange }) {
  const [typed, setTyped] = useState("");
  const text = tagLines(tags);
  // What is being typed stays as it is, such as a key that has no value yet, as long as it means the same.
  const shown = tagLines(parseTagLines(typed)) === text ? typed : text;
  const type = (/** @type {any} */ event) => {
    const changed = parseTagLines(event.target.value);
    setTyped(event.target.value);
    onChange(changed.length === 0 ? undefined : changed);
  };
  return html`
    <${Field} label=${t("settings.lifecycle_tags")} hint=${t("settings.lifecycle_tags_hint")} error=${error}
      control=${(/** @type {any} */ attributes) =>
        html`
          <textarea class="input lines-input mono" rows=${Math.max(1, Math.min(5, shown.split("\n").length))}
            spellcheck=${false} autocapitalize="off" placeholder="team=red" value=${shown} onInput=${type}
            ...${attributes}></textarea>
        `} />
  `;
}
