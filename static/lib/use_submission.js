// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";

/**
 * Sends what stands in a dialog's form: once at a time, after a check of its fields. Until the answer is there, the dialog
 * stays open.
 *
 * @template {object} Problems what is wrong, by field; without any key when nothing is
 * @param {object} does
 * @param {(blocked: boolean) => void} does.block as the dialog gives it
 * @param {() => Problems} [does.check]
 * @param {(form: HTMLFormElement) => Promise<unknown>} does.send also ends the dialog
 * @param {(failure: unknown) => Problems | null} [does.explain] the fields that a failure is about; `null` for one that is
 *   about no field
 * @param {(failure: unknown) => string} [does.tell] why it failed as a whole; the failure's own message unless given
 * @returns {{
 *   busy: boolean, problems: Partial<Problems>, error: string, submit: (event: SubmitEvent) => Promise<void>
 * }} `error`: why it failed as a whole, empty when it did not
 */
export function useSubmission({ block, check, send, explain, tell = messageOf }) {
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState(/** @type {Partial<Problems>} */ ({}));
  const [error, setError] = useState("");
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (busy) return;
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const found = check?.() ?? {};
    setProblems(found);
    setError("");
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    block(true);
    try {
      await send(form);
    } catch (failure) {
      const fields = explain?.(failure) ?? null;
      if (fields === null) setError(tell(failure));
      else setProblems(fields);
    } finally {
      block(false);
      setBusy(false);
    }
  };
  return { busy, problems, error, submit };
}

/** @param {unknown} failure */
function messageOf(failure) {
  return failure instanceof Error ? failure.message : String(failure);
}
