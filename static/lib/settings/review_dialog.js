// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { ApiError } from "../api.js";
import { ShowCommand } from "../commands.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { FailureWords } from "../failure_words.js";
import { rich, t } from "../i18n.js";
import { Button, html, Notice } from "../ui.js";
import { countChanges, diffLines, withoutFarLines } from "./line_diff.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { DiffLine } from "./line_diff.js" */

/**
 * What a change is, for the reader to look at before it is saved.
 * @typedef {object} Review
 * @property {string} before
 * @property {string} after
 * @property {readonly string[]} commands
 * @property {string | null} warning
 * @property {string | undefined} typed what must be typed before it is saved
 * @property {() => Promise<void>} save its error is shown in the dialog
 */

/**
 * Shows what a change is line by line, and saves it when it is told to. Resolves with `saved`, or with the error that the
 * reader went back with, or `undefined`.
 * @param {Review} review
 * @returns {Promise<"saved" | ApiError | undefined>}
 */
export function reviewChange(review) {
  return openDialog(
    /** @param {DialogControls<"saved" | ApiError>} controls */
    (controls) => html`<${ReviewForm} ...${controls} review=${review} />`,
  );
}

/** @param {DialogControls<"saved" | ApiError> & { review: Review }} props */
function ReviewForm({ close, block, titleId, review }) {
  const { before, after, commands, warning, typed, save } = review;
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(/** @type {ApiError | null} */ (null));
  const lines = diffLines(before, after);
  const ready = typed === undefined || name === typed;
  const submit = async (/** @type {any} */ event) => {
    event.preventDefault();
    if (!ready || busy) return;
    setBusy(true);
    setError(null);
    block(true);
    try {
      await save();
      close("saved");
    } catch (failure) {
      block(false);
      setBusy(false);
      if (!(failure instanceof ApiError)) throw failure;
      // What is wrong is said where it can be put right.
      if (failure.status === 400) close(failure);
      else setError(failure);
    }
  };
  const back = () => close(error ?? undefined);
  const footer = html`
    <${Button} disabled=${busy} onClick=${back}>${t("settings.keep_editing")}<//>
    <${Button} type="submit" kind=${typed === undefined
      ? "primary"
      : "danger"} busy=${busy} disabled=${!ready}
      data-autofocus=${typed === undefined ? "" : undefined}>${t("common.save")}<//>
  `;
  return html`
    <form onSubmit=${submit}>
      <${DialogFrame} title=${t("settings.review_title")} titleId=${titleId} onClose=${busy
        ? undefined
        : back}
        footer=${footer}>
        <div class="stack">
          <${Diff} lines=${lines} />
          ${warning && html`<${Notice} kind=${typed === undefined ? "warn" : "bad"}>${warning}<//>`}
          ${typed !== undefined && html`
            <div class="field">
              <label for="${titleId}-typed">${rich("settings.type_name", {
                name: html`<code class="select-all">${typed}</code>`,
              })}</label>
              <input id="${titleId}-typed" class="input mono" autocomplete="off" autocapitalize="off"
                spellcheck=${false} data-autofocus="" value=${name}
                onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
            </div>
          `}
          ${error && html`
            <${Notice} kind="bad" role="alert">
              <${FailureWords} error=${error} text=${error.status === 412
                ? t("settings.changed_meanwhile")
                : ""} />
              <//>
          `}
          <${ShowCommand} lines=${commands} />
        </div>
        <//>
        </form>
  `;
}

/** @param {{ lines: DiffLine[] }} props */
function Diff({ lines }) {
  const { added, removed } = countChanges(lines);
  return html`
    <div>
      <p class="muted">${t("settings.diff_counts", {
        added: t("settings.diff_added", { n: added }),
        removed: t("settings.diff_removed", { n: removed }),
      })}</p>
      <div class="diff" tabindex="0" role="region" aria-label=${t("settings.diff_label")}>${withoutFarLines(
        lines,
      ).map((line, index) =>
        line === null
          ? html`<div key=${index} class="diff-gap">…</div>`
          : html`<${DiffRow} key=${index} line=${line} />`
      )}</div>
    </div>
  `;
}

/** @param {{ line: DiffLine }} props */
function DiffRow({ line: { kind, text, before, after } }) {
  const sign = { same: " ", added: "+", removed: "−" }[kind];
  const said = kind === "added"
    ? t("settings.diff_plus")
    : kind === "removed"
    ? t("settings.diff_minus")
    : "";
  return html`
    <div class="diff-line diff-${kind}">
      <span class="diff-number" aria-hidden="true">${before ?? ""}</span>
      <span class="diff-number" aria-hidden="true">${after ?? ""}</span>
      <span class="diff-sign"><span aria-hidden="true">${sign}</span>${said &&
        html`<span class="visually-hidden">${said}</span>`}</span>
      <code>${text}</code>
    </div>
  `;
}
