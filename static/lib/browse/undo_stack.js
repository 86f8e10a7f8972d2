// @ts-check
import { toast, toastError, withdrawAction } from "../toast.js";
import { t } from "../i18n.js";

/** Steps that can be taken back. */
const maxSteps = 20;

/**
 * Something that can be taken back, and the message on the screen that says so.
 * @typedef {{ message: string, run: () => Promise<unknown>, toast: number }} UndoStep
 */

/** What was done on this page and can be taken back, the last one first. */
export class UndoStack {
  /** @type {UndoStep[]} */
  #steps = [];

  /**
   * Says what was done, with a button that takes it back for as long as that is shown; Ctrl+Z takes it back later, too.
   *
   * @param {string} message such as `3 objects deleted`
   * @param {() => Promise<unknown>} run takes it back
   */
  offer(message, run) {
    const step = { message, run, toast: 0 };
    step.toast = toast(message, { undo: () => this.#take(step) });
    this.#steps = [...this.#steps, step].slice(-maxSteps);
  }

  /** Takes back what was done last. */
  async last() {
    const step = this.#steps.at(-1);
    if (step === undefined) toast(t("browse.nothing_to_undo"), { kind: "info" });
    else await this.#take(step);
  }

  /** @param {UndoStep} step */
  async #take(step) {
    if (!this.#steps.includes(step)) return;
    this.#steps = this.#steps.filter((other) => other !== step);
    withdrawAction(step.toast);
    try {
      await step.run();
    } catch (error) {
      toastError(t("browse.undo_failed", { what: step.message }), error);
    }
  }
}
