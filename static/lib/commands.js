// @ts-check
/// <reference lib="dom" />
import { CopyButton } from "./copy_button.js";
import { html } from "./html.js";
import { t } from "./i18n.js";
import { loadStyles } from "./styles.js";

/**
 * The shell commands that do what a dialog does, folded away, with a button that copies them.
 * @param {{ lines: readonly string[] }} props one command or comment each; a command may go over several lines
 */
export function ShowCommand({ lines }) {
  const text = lines.join("\n");
  return html`
    <details class="command" onToggle=${() => loadStyles("lazy.css")}>
      <summary>${t("common.show_command")}</summary>
      <div class="command-text">
        <pre tabindex="0" aria-label=${t("frame.command_text")}><code>${text}</code></pre>
        <${CopyButton} text=${text} label=${t("frame.command_copy")} />
      </div>
    </details>
  `;
}

/**
 * A text as one word of a POSIX shell (2024), quoted only if it has to be. Control characters are written as escapes: as
 * they are, a terminal that they are pasted into would act on them, and run what follows.
 * @param {string} text
 */
export function shellWord(text) {
  // deno-lint-ignore no-control-regex -- these are what is looked for
  const control = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/g;
  if (control.test(text)) return `$'${text.replaceAll(/['\\]/g, "\\$&").replaceAll(control, escaped)}'`;
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** @param {string} character */
function escaped(character) {
  const bytes = new TextEncoder().encode(character);
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
