// @ts-check
/// <reference lib="dom" />
import { useRef } from "preact/hooks";
import { t } from "../i18n.js";
import { Button, html, IconButton } from "../ui.js";
import { faultyPart, pairsOf } from "./pairs.js";

/** @import { Pair, PairFault } from "./pairs.js" */
/** @import { MessageKey } from "../i18n.js" */

/** @type {Readonly<Record<PairFault, MessageKey>>} */
const faultTexts = {
  no_name: "details.fault_no_name",
  twice: "details.fault_twice",
  name_too_long: "details.fault_name_too_long",
  name_characters: "details.fault_name_characters",
  value_too_long: "details.fault_value_too_long",
  value_characters: "details.fault_value_characters",
  reserved: "details.fault_reserved",
  header_name: "details.fault_header_name",
  control: "details.fault_control",
};

/**
 * Names and values as rows. Several lines of `name=value` can be pasted into a name at once.
 * @param {{
 *   id: string, pairs: readonly Pair[], faults: ReadonlyMap<number, PairFault>, nameLabel: string, addLabel: string,
 *   max?: number, onChange: (pairs: Pair[]) => void
 * }} props
 */
export function PairEditor({ id, pairs, faults, nameLabel, addLabel, max = Infinity, onChange }) {
  const rows = useRef(/** @type {HTMLElement | null} */ (null));
  const change = (/** @type {number} */ index, /** @type {Partial<Pair>} */ part) =>
    onChange(pairs.map((pair, at) => at === index ? { ...pair, ...part } : pair));
  const focusName = (/** @type {number} */ index) =>
    requestAnimationFrame(() => {
      const fields =
        /** @type {NodeListOf<HTMLElement> | undefined} */ (rows.current?.querySelectorAll("[data-name]"));
      (fields?.[Math.min(index, fields.length - 1)] ?? document.getElementById(`${id}-add`))?.focus();
    });
  const add = () => {
    onChange([...pairs, { name: "", value: "" }]);
    focusName(pairs.length);
  };
  const remove = (/** @type {number} */ index) => {
    onChange(pairs.filter((_, at) => at !== index));
    focusName(index);
  };
  const paste = (/** @type {any} */ event, /** @type {number} */ index) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!/[\n=]/.test(text.trim()) || pairs[index].name !== "") return;
    event.preventDefault();
    onChange([...pairs.slice(0, index), ...pairsOf(text), ...pairs.slice(index + 1)]);
  };
  return html`
    <div class="pairs" ref=${rows}>
      ${pairs.map((pair, index) => {
        const fault = faults.get(index);
        const described = fault === undefined ? undefined : `${id}-fault-${index}`;
        const wrong = (/** @type {"name" | "value"} */ part) =>
          fault !== undefined && faultyPart(fault) === part
            ? { "aria-invalid": "true", "aria-describedby": described }
            : {};
        return html`
          <div class="pair" key=${index}>
            <input class="input mono" data-name aria-label=${t("details.pair_name", {
              label: nameLabel,
              n: index + 1,
            })}
              placeholder=${nameLabel} value=${pair
                .name} autocomplete="off" autocapitalize="off" spellcheck=${false}
              ...${wrong("name")}
              onInput=${(/** @type {any} */ event) => change(index, { name: event.target.value })}
              onPaste=${(/** @type {any} */ event) => paste(event, index)} />
            <input class="input" aria-label=${t("details.pair_value", { label: nameLabel, n: index + 1 })}
              placeholder=${t("details.value")} value=${pair
                .value} autocomplete="off" autocapitalize="off" spellcheck=${false}
              ...${wrong("value")}
              onInput=${(/** @type {any} */ event) => change(index, { value: event.target.value })} />
            <${IconButton} icon="close" label=${t("details.pair_remove", { n: index + 1 })} onClick=${() =>
              remove(index)} />
            ${fault && html`<p class="field-error" id=${described}>${t(faultTexts[fault])}</p>`}
          </div>
        `;
      })}
      <div class="pair-foot">
        <${Button} id="${id}-add" small=${true} icon="plus" disabled=${pairs.length >=
          max} onClick=${add}>${addLabel}<//>
        <span class="field-hint">${t("details.paste_hint")}</span>
      </div>
    </div>
  `;
}
