// @ts-check
/// <reference lib="dom" />
import { useRef, useState } from "preact/hooks";
import { ShowCommand } from "../commands.js";
import { t } from "../i18n.js";
import { Segmented } from "../segmented.js";
import { Button, html, Icon, minute, Notice, Skeleton } from "../ui.js";
import { EditorBar } from "./editor_bar.js";
import { useEditorState } from "./editor_state.js";
import { JsonBox } from "./json_box.js";
import { LoadFailure, Unsupported } from "./lazy_states.js";

/** @import { EditorState } from "./editor_state.js" */
/** @import { FirstSection, Section, SettingsPlace } from "./section.js" */

/**
 * A setting as a form and as JSON, which are the same thing: what one says the other says, too.
 * @template Value
 * @param {{ section: Section<Value>, place: SettingsPlace, first: FirstSection, now: number }} props
 */
export function SectionEditor({ section, place, first, now }) {
  const state = useEditorState(section, place, first);
  const { loading, loadError, known, answer, saved, dirty } = state;
  const lacks = loadError === null ? !known && !loading : loadError.code === "not_supported";
  const lock = place.canWrite ? section.locked?.(answer) ?? null : t("settings.lock_readonly");
  return html`
    <section class="setting" aria-labelledby="setting-title">
      <header class="setting-head">
        <h2 id="setting-title">${t(section.title)}</h2>
        <p class="muted">${t(section.about)}</p>
      </header>
      ${lacks
        ? html`
          <${Unsupported} place=${place} section=${section.name} error=${loadError} load=${state
            .load} now=${now} />
        `
        : loading && !known
        ? html`
          <div class="card">
            <${Skeleton} rows=${4} />
          </div>
          <p class="without-script"><a class="button" href=${first.again}>${t("settings.load_again")}</a></p>
        `
        : loadError !== null
        ? html`<${LoadFailure} error=${loadError} load=${state.load} />`
        : html`
          ${lock && html`<${Notice}>${lock}<//>`}
          <p class="setting-state"><${Icon} name="info" /><span>${section.stateWords(
            saved,
            answer,
          )}</span></p>
          <${Editor} section=${section} place=${place} state=${state} disabled=${lock !== null} now=${now} />
        `}
      <span class="visually-hidden" role="status">${dirty ? t("settings.unsaved") : ""}</span>
    </section>
  `;
}

/** @param {{ section: Section<any>, place: SettingsPlace, state: EditorState<any>, disabled: boolean, now: number }} props */
function Editor({ section, place, state, disabled, now }) {
  const { tools, value, text, json, problems, refusal, stale, answer, restored, savedText } = state;
  const [tab, setTab] = useState(/** @type {"form" | "json"} */ ("form"));
  const panes = useRef(/** @type {HTMLElement | null} */ (null));
  const { Form } = section;
  const Tools = tools?.editing.Tools;
  const problemAt = (/** @type {string} */ path) =>
    problems.find((problem) => problem.path === path)?.message;
  // Nothing can be typed that nobody would hear of.
  const unheard = minute.value === 0 || tools === null;
  const found = tools === null || text === savedText ? [] : tools.json.locateFaults(text, json, problems);
  const goTo = (/** @type {number} */ offset) => {
    /** @type {HTMLTextAreaElement | null | undefined} */
    const field = panes.current?.querySelector(".json-text");
    field?.focus();
    field?.setSelectionRange(offset, offset);
  };
  /** Leads to the first field that is wrong; to its place in the JSON when the form does not show it. */
  const showFault = () => {
    // What was found is not drawn yet.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const wrong = panes.current?.querySelector('.setting-form [aria-invalid="true"]');
        if (wrong instanceof HTMLElement && wrong.checkVisibility()) return wrong.focus();
        setTab("json");
        requestAnimationFrame(() => goTo(faultOffset.current));
      })
    );
  };
  const faultOffset = useRef(0);
  faultOffset.current = found[0]?.offset ?? 0;
  return html`
    ${restored && html`
      <${Notice} action=${html`<${Button} small=${true} onClick=${state.revert}>${
        t("settings.discard")
      }<//>`}>${t("settings.restored")}<//>
    `}
    ${!disabled &&
      html`<${EditorBar} section=${section} place=${place} state=${state} now=${now} showFault=${showFault} />`}
    ${refusal && html`
      <div role="alert">${refusal.unsupported === null
        ? html`<${Notice} kind="bad">${refusal.message}<//>`
        : html`
          <${Unsupported} place=${place} section=${section.name} error=${refusal.unsupported} load=${state
            .load} now=${now} />
        `}</div>
    `}
    <div class="setting-tabs">
      <${Segmented} label=${t("settings.view")} value=${tab} onChange=${setTab}
        options=${[["form", t("settings.form")], ["json", "JSON"]]} />
    </div>
    <div class="setting-panes" data-tab=${tab} ref=${panes}>
      <div class="setting-form">
        ${stale && html`<${Notice} kind="warn">${t("settings.form_stale")}<//>`}
        <fieldset class="setting-fields ${unheard ? "setting-unheard" : ""}" disabled=${disabled || stale ||
          unheard}>
          <legend class="visually-hidden">${t(section.title)}</legend>
          <${Form} value=${value} onChange=${state.setValue} disabled=${disabled ||
            stale} problemAt=${problemAt}
            answer=${answer} editing=${tools?.editing ?? null} place=${place} reload=${state
              .load} now=${now} />
        </fieldset>
        ${Tools && html`
          <${Tools} value=${value} onChange=${state.setValue} disabled=${disabled || stale} place=${place} />
        `}
      </div>
      <div class="setting-json">
        <${JsonBox} text=${text} disabled=${disabled || unheard} onChange=${state.setText}
          label=${t("settings.json_of", { name: t(section.title) })}
          wrong=${new Set(found.map(({ line }) => line))} />
        ${tools && html`<${tools.json.JsonFaults} found=${found} onGo=${goTo} />`}
      </div>
    </div>
    ${tools && !stale && problems.length === 0 &&
      html`<${ShowCommand} lines=${tools.editing.commands(value, place)} />`}
  `;
}
