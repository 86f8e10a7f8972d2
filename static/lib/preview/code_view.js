// @ts-check
/// <reference lib="dom" />
import { useMemo } from "preact/hooks";
import { t } from "../i18n.js";
import { html } from "../ui.js";
import { highlighted } from "./highlight.js";
import { lineNumbers } from "./lines.js";

/** @import { Grammar } from "./highlight.js" */

/**
 * A text with the numbers of its lines.
 * @param {{ text: string, name: string, grammar: Grammar }} props
 */
export function CodeView({ text, name, grammar }) {
  const tokens = useMemo(() => highlighted(text, grammar), [text, grammar]);
  const numbers = useMemo(() => lineNumbers(text), [text]);
  return html`
    <div class="preview preview-code" tabindex="0" role="region" aria-label=${t("preview.text_of", { name })}>
      <pre class="line-numbers" aria-hidden="true">${numbers}</pre>
      <pre class="preview-text">${tokens.map((token, index) =>
        token.kind === ""
          ? token.text
          : html`<span key=${index} class="code-${token.kind}">${token.text}</span>`
      )}</pre>
    </div>
  `;
}
