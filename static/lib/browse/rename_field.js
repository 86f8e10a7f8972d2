// @ts-check
/// <reference lib="dom" />
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n.js";
import { html } from "../ui.js";
import { nameProblem, renameEntry } from "./rename.js";

/** @import { Browser } from "./browser.js" */
/** @import { Entry } from "./entries.js" */

/**
 * A row's name while it is being edited: Enter saves it, Esc leaves it as it was.
 * @param {{ browser: Browser, entry: Entry }} props
 */
export function RenameField({ browser, entry }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  useLayoutEffect(() => {
    const stem = entry.folder ? entry.name.length : entry.name.lastIndexOf(".");
    input.current?.focus();
    input.current?.setSelectionRange(0, stem > 0 ? stem : entry.name.length);
  }, []);
  const end = () => {
    browser.renaming.value = "";
    document.getElementById("objects")?.focus({ preventScroll: true });
  };
  const save = async () => {
    const name = input.current?.value ?? "";
    if (busy) return;
    if (name === entry.name) return end();
    const wrong = nameProblem(browser, entry, name);
    setProblem(wrong);
    if (wrong !== "") return;
    setBusy(true);
    const failure = await renameEntry(browser, entry, name);
    setBusy(false);
    if (failure === "") end();
    else {
      setProblem(failure);
      input.current?.focus();
    }
  };
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    event.stopPropagation();
    if (event.key === "Escape") end();
    else if (event.key === "Enter") save();
    else return;
    event.preventDefault();
  };
  const onBlur = () => {
    if (!busy && problem === "" && input.current?.value === entry.name) browser.renaming.value = "";
  };
  return html`
    <span class="rename-field">
      <input ref=${input} type="text" class="input" aria-label=${t("browse.new_name", { name: entry.name })}
        autocomplete="off" autocapitalize="off" spellcheck=${false} defaultValue=${entry.name}
        readonly=${busy} aria-busy=${busy ? "true" : undefined} aria-invalid=${problem ? "true" : undefined}
        aria-describedby=${problem ? "rename-problem" : undefined} onKeyDown=${onKeyDown} onBlur=${onBlur} />
      ${problem !== "" && html`
        <span id="rename-problem" class="rename-problem" role="alert">${problem}</span>
      `}
    </span>
  `;
}
