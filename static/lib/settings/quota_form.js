// @ts-check
/// <reference lib="dom" />
import { useRef } from "preact/hooks";
import { bytesOf, byteUnits, unitOf } from "../byte_units.js";
import { Field } from "../fields.js";
import { formatBytes } from "../format.js";
import { rich, t } from "../i18n.js";
import { QuotaMeter } from "../quota_meter.js";
import { Button, Bytes, html, Notice, Time } from "../ui.js";
import { RecountButton } from "./recount_button.js";
import { SizeInput } from "./size_input.js";

/** @import { FormProps } from "./section.js" */
/** @import { TypedNumber } from "../typed_numbers.js" */

/**
 * The limits in bytes, 0 for none; `null` for what was typed and is no number.
 * @typedef {{ soft_bytes: number | null, hard_bytes: number | null }} QuotaValue
 */

/** Steps of a slider. */
const sliderSteps = 200;

/**
 * The limits of a bucket against what it holds.
 * @param {FormProps<QuotaValue>} props
 */
export function QuotaForm({ value, onChange, disabled, problemAt, answer, place, reload, now }) {
  const { usage_bytes: used = 0, has_usage: counted = false, computed_at: countedAt } = answer;
  const soft = value.soft_bytes ?? 0;
  const hard = value.hard_bytes ?? 0;
  // It only grows: a scale that follows the thumb would run away under it.
  const scale = useRef(0);
  scale.current = Math.max(
    scale.current || 2 * Math.max(used, soft, hard) || 100 * 2 ** 30,
    soft,
    hard,
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
      <${QuotaBar} used=${used} soft=${soft} hard=${hard} largest=${largest} />
      <${LimitField} label=${t("settings.quota_soft")} hint=${t("settings.quota_soft_hint")} bytes=${value
        .soft_bytes}
        largest=${largest} error=${problemAt("soft_bytes")}
        onChange=${(/** @type {number | null} */ bytes) => onChange({ ...value, soft_bytes: bytes })} />
      <${LimitField} label=${t("settings.quota_hard")} hint=${t("settings.quota_hard_hint")} bytes=${value
        .hard_bytes}
        largest=${largest} error=${problemAt("hard_bytes")}
        onChange=${(/** @type {number | null} */ bytes) => onChange({ ...value, hard_bytes: bytes })} />
      ${hard > 0 && used > hard &&
        html`<${Notice} kind="warn">${t("settings.quota_below_use", { size: formatBytes(used) })}<//>`}
      ${!disabled && (soft > 0 || hard > 0) && html`
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
 *   label: string, hint: string, bytes: number | null, largest: number, error?: string,
 *   onChange: (bytes: number | null) => void
 * }} props
 */
function LimitField({ label, hint, bytes, largest, error, onChange }) {
  const amount = bytes ?? 0;
  return html`
    <${Field} label=${label} hint=${hint} error=${error} control=${(/** @type {any} */ attributes) =>
      html`
        <${SizeInput} label=${label} bytes=${bytes === 0 ? undefined : bytes} units=${byteUnits()}
          placeholder=${t("settings.quota_none")} attributes=${attributes}
          onChange=${(/** @type {TypedNumber} */ size) => onChange(size === undefined ? 0 : size)} />
        <input class="limit-slider" type="range" min="0" max=${sliderSteps} step="1" aria-label=${t(
          "settings.slider_of",
          { name: label },
        )}
          aria-valuetext=${amount === 0 ? t("settings.quota_none") : formatBytes(amount)}
          value=${Math.round(amount / largest * sliderSteps)} onInput=${(/** @type {any} */ event) =>
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
