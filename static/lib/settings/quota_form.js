// @ts-check
/// <reference lib="dom" />
import { useRef } from "preact/hooks";
import { Field } from "../fields.js";
import { formatBytes } from "../format.js";
import { rich, t } from "../i18n.js";
import { QuotaMeter } from "../quota_meter.js";
import { Button, Bytes, html, Notice, Time } from "../ui.js";
import { bytesOf, byteUnits, unitOf } from "./byte_units.js";
import { RecountButton } from "./recount_button.js";
import { SizeInput } from "./size_input.js";

/** @import { FormProps } from "./section.js" */
/** @typedef {{ soft_bytes: number, hard_bytes: number }} QuotaValue */

/** Steps of a slider. */
const sliderSteps = 200;

/**
 * The limits of a bucket against what it holds.
 * @param {FormProps<QuotaValue>} props
 */
export function QuotaForm({ value, onChange, disabled, problemAt, answer, place, reload, now }) {
  const { usage_bytes: used = 0, has_usage: counted = false, computed_at: countedAt } = answer;
  // It only grows: a scale that follows the thumb would run away under it.
  const scale = useRef(0);
  scale.current = Math.max(
    scale.current || 2 * Math.max(used, value.soft_bytes, value.hard_bytes) || 100 * 2 ** 30,
    value.soft_bytes,
    value.hard_bytes,
  );
  const largest = scale.current;
  return html`
    <div class="card card-body stack">
      <div class="quota-use">
        <p><span class="quota-figure">${counted ? html`<${Bytes} value=${used} />` : "–"}</span> ${counted
          ? rich("settings.quota_used", {
            objects: t("common.objects", { n: answer.object_count ?? 0 }),
            time: countedAt ? html`<${Time} at=${countedAt} now=${now} />` : t("common.unknown"),
          })
          : t("settings.quota_not_counted")}</p>
        ${!disabled && html`<${RecountButton} place=${place} onCounted=${reload} />`}
      </div>
      <${QuotaBar} used=${used} soft=${value.soft_bytes} hard=${value.hard_bytes} largest=${largest} />
      <${LimitField} label=${t("settings.quota_soft")} hint=${t("settings.quota_soft_hint")} bytes=${value
        .soft_bytes}
        largest=${largest} error=${problemAt("soft_bytes")}
        onChange=${(/** @type {number} */ bytes) => onChange({ ...value, soft_bytes: bytes })} />
      <${LimitField} label=${t("settings.quota_hard")} hint=${t("settings.quota_hard_hint")} bytes=${value
        .hard_bytes}
        largest=${largest} error=${problemAt("hard_bytes")}
        onChange=${(/** @type {number} */ bytes) => onChange({ ...value, hard_bytes: bytes })} />
      ${value.hard_bytes > 0 && used > value.hard_bytes &&
        html`<${Notice} kind="warn">${t("settings.quota_below_use", { size: formatBytes(used) })}<//>`}
      ${!disabled && (value.soft_bytes > 0 || value.hard_bytes > 0) && html`
        <div class="row">
          <${Button} icon="trash" onClick=${() => onChange({ soft_bytes: 0, hard_bytes: 0 })}>${t(
            "settings.quota_remove",
          )}<//></div>
      `}
      <${Notice}>${t("settings.quota_enforced")}<//>
    </div>
  `;
}

/**
 * A limit as a number with its unit, and as a slider.
 * @param {{
 *   label: string, hint: string, bytes: number, largest: number, error?: string, onChange: (bytes: number) => void
 * }} props
 */
function LimitField({ label, hint, bytes, largest, error, onChange }) {
  return html`
    <${Field} label=${label} hint=${hint} error=${error} control=${(/** @type {any} */ attributes) =>
      html`
        <${SizeInput} label=${label} bytes=${bytes || undefined} units=${byteUnits()}
          placeholder=${t("settings.quota_none")} attributes=${attributes}
          onChange=${(/** @type {number | undefined} */ size) => onChange(size ?? 0)} />
        <input class="limit-slider" type="range" min="0" max=${sliderSteps} step="1" aria-label=${t(
          "settings.slider_of",
          { name: label },
        )}
          aria-valuetext=${bytes === 0 ? t("settings.quota_none") : formatBytes(bytes)}
          value=${Math.round(bytes / largest * sliderSteps)} onInput=${(/** @type {any} */ event) =>
            onChange(rounded(Number(event.target.value) / sliderSteps * largest))} />
      `} />
  `;
}

/**
 * To a tenth of the unit that a size is shown in.
 * @param {number} bytes
 */
function rounded(bytes) {
  const size = bytesOf(unitOf(bytes));
  return Math.round(Math.round(bytes / size * 10) / 10 * size);
}

/**
 * What is used, against the limits, on the scale of the sliders below.
 * @param {{ used: number, soft: number, hard: number, largest: number }} props
 */
function QuotaBar({ used, soft, hard, largest }) {
  const state = hard > 0 && used >= hard ? "over" : soft > 0 && used >= soft ? "near" : "ok";
  const label = hard > 0
    ? t("settings.quota_bar_of", { used: formatBytes(used), hard: formatBytes(hard) })
    : t("settings.quota_bar", { used: formatBytes(used) });
  return html`<${QuotaMeter} used=${used} ticks=${[
    soft,
    hard,
  ]} full=${largest} state=${state} label=${label} />`;
}
