// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef } from "preact/hooks";
import { ApiError } from "../api.js";
import { t } from "../i18n.js";
import { toast, withdrawAction } from "../toast.js";
import { Button, html, Time } from "../ui.js";

/** @import { EditorState } from "./editor_state.js" */
/** @import { Section, SettingsPlace } from "./section.js" */

/**
 * What can be done with the changes to a setting.
 * @param {{
 *   section: Section<any>, place: SettingsPlace, state: EditorState<any>, now: number, showFault: () => void
 * }} props `showFault` leads to what is wrong
 */
export function EditorBar({ section, place, state, now, showFault }) {
  const { tools, dirty, json, problems, text, earlier, stale } = state;
  const faulty = json.error !== null || problems.length > 0 || stale;
  const validate = () => {
    if (!faulty) return toast(t("settings.no_problems"));
    showFault();
    toast(t("settings.found_problems", { n: Math.max(1, problems.length) }), {
      kind: "error",
      sticky: false,
    });
  };
  const bar = useRef(/** @type {HTMLElement | null} */ (null));
  const said = useRef(0);
  // What it offers is done in this editor.
  useEffect(() => () => withdrawAction(said.current), []);
  const onSaved = () => {
    said.current = toast(t("settings.saved", { name: t(section.title) }), {
      action: { label: t("settings.earlier_take"), run: () => state.setText(state.savedText) },
    });
    // The button that had the focus has nothing more to save.
    /** @type {HTMLElement | null | undefined} */
    const next = bar.current?.querySelector("button + button");
    next?.focus();
  };
  const save = async () => {
    if (faulty) return validate();
    const { reviewChange } = await import("./review_dialog.js");
    await saveReviewed(reviewChange, { place, state, showFault, onSaved });
  };
  return html`
    <div class="setting-bar needs-script" ref=${bar}>
      <${Button} kind="primary" disabled=${!dirty || tools === null} onClick=${save}>${t(
        "settings.review_save",
      )}<//>
      <${Button} onClick=${validate}>${t("settings.validate")}<//>
      <${Button} kind="quiet" disabled=${!dirty} onClick=${state.revert}>${t("settings.revert")}<//>
      ${dirty &&
        html`<span class="setting-dirty"><span class="dot dot-neutral"></span>${
          t("settings.unsaved")
        }</span>`}
      ${earlier !== null && earlier.text !== text && html`
        <span class="setting-earlier">${t("settings.earlier")} (<${Time} at=${earlier.at} now=${now} />)
          <button type="button" class="earlier-button" onClick=${() => state.setText(earlier.text)}>${t(
            "settings.earlier_take",
          )}</button></span>
      `}
    </div>
  `;
}

/**
 * Saves what its reader has looked at, or leads to what the server finds wrong with it.
 * @param {typeof import("./review_dialog.js").reviewChange} reviewChange
 * @param {{
 *   place: SettingsPlace, state: EditorState<any>, showFault: () => void, onSaved: () => void
 * }} editor
 */
async function saveReviewed(reviewChange, { place, state, showFault, onSaved }) {
  const { tools, saved, value, text, savedText, json } = state;
  if (tools === null) return;
  const { editing } = tools;
  const outcome = await reviewChange({
    before: savedText,
    after: text,
    commands: editing.commands(value, place),
    warning: editing.warning?.(saved, value) ?? null,
    typed: editing.needsName?.(saved, value) ? place.bucket : undefined,
    save: state.save,
  });
  if (outcome === "saved") onSaved();
  else if (outcome instanceof ApiError) {
    if (outcome.status === 412) return await state.load();
    if (outcome.status !== 400) return;
    const unsupported = outcome.code === "not_supported" ? outcome : null;
    const path = unsupported === null ? tools.json.placeOfRefusal(outcome, json, editing.refusals) : null;
    const words = path === null ? editing.refusalWords?.(value, outcome, place) : null;
    state.setRefusal({ path, message: words ?? outcome.message, unsupported });
    if (path !== null) showFault();
  }
}
