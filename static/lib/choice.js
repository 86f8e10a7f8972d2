// @ts-check
import { html } from "./html.js";
import { useElementId } from "./ids.js";

/**
 * A choice of a few in a form, as chips.
 * @param {{
 *   legend: string, value: string, options: ReadonlyArray<readonly [string, string]>, autofocus?: boolean,
 *   disabled?: boolean, hint?: string, onChange: (value: any) => void
 * }} props
 */
export function Choice({ legend, value, options, autofocus = false, disabled = false, hint, onChange }) {
  const name = useElementId();
  return html`
    <fieldset class="field" disabled=${disabled}>
      <legend class="legend">${legend}</legend>
      <div class="row choice">${options.map(([option, text]) =>
        html`
          <label key=${option}><input type="radio" name=${name} value=${option} checked=${option === value}
            data-autofocus=${autofocus && option === value ? "" : undefined}
            onChange=${() => onChange(option)} />${text}</label>
        `
      )}</div>
      ${hint && html`<p class="field-hint">${hint}</p>`}
    </fieldset>
  `;
}
