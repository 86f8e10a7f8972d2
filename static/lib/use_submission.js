// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { FailureWords } from "./failure_words.js";
import { html } from "./html.js";

/**
 * Sends what stands in a dialog's form: once at a time, after a check of its fields. Until the answer is there, the dialog
 * stays open. The focus goes to the first field that something is wrong with.
 *
 * @template {object} Problems what is wrong, by field; without any key when nothing is
 * @param {object} does
 * @param {(blocked: boolean) => void} does.block as the dialog gives it
 * @param {() => Problems} [does.check]
 * @param {(form: HTMLFormElement) => Promise<unknown>} does.send also ends the dialog
 * @param {(failure: unknown) => Problems | null} [does.explain] the fields that a failure is about; `null` for one that is
 *   about no field
 * @param {(failure: unknown) => string} [does.tell] why it failed as a whole; empty for the failure's own words
 * @returns {{
 *   busy: boolean, problems: Partial<Problems>, error: import("preact").ComponentChild,
 *   submit: (event: SubmitEvent) => Promise<void>
 * }} `error`: why it failed as a whole, with the id of the request; empty when it did not
 */
export function useSubmission({ block, check, send, explain, tell }) {
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState(/** @type {Partial<Problems>} */ ({}));
  const [failed, setFailed] = useState(/** @type {unknown} */ (null));
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (busy) return;
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const found = check?.() ?? {};
    setProblems(found);
    setFailed(null);
    if (Object.keys(found).length > 0) return focusFirstInvalid(form);
    setBusy(true);
    block(true);
    try {
      await send(form);
    } catch (failure) {
      const fields = explain?.(failure) ?? null;
      if (fields === null) return setFailed(failure);
      setProblems(fields);
      focusFirstInvalid(form);
    } finally {
      block(false);
      setBusy(false);
    }
  };
  const error = failed === null ? "" : html`
    <${FailureWords} error=${failed instanceof Error ? failed : { message: String(failed) }}
      text=${tell?.(failed)} />
  `;
  return { busy, problems, error, submit };
}

/**
 * Puts the focus where something has to be changed, once the fields say that they are wrong.
 * @param {HTMLFormElement} form
 */
export function focusFirstInvalid(form) {
  requestAnimationFrame(() => {
    /** @type {HTMLElement | null} */ (form.querySelector('[aria-invalid="true"], [data-invalid] input'))
      ?.focus();
  });
}
