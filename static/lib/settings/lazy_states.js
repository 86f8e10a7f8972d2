// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { html } from "../html.js";
import { LazyComponent } from "../lazy_component.js";
import { whenIdle } from "../when_idle.js";

/** @import { LoadFailure as LoadFailureView, Unsupported as UnsupportedView } from "./section_states.js" */

// Few see them: they are loaded when they are needed.

const loadFailure = new LazyComponent(async () => (await import("./section_states.js")).LoadFailure);

const unsupported = new LazyComponent(async () => (await import("./section_states.js")).Unsupported);

/** Loads what says that something is not there; to be awaited before a page that says so is rendered. */
export async function loadStates() {
  await Promise.all([loadFailure.load(), unsupported.load()]);
}

/** The same, where a failure is left to the next part that needs it. */
function tryStates() {
  loadStates().catch(() => {});
}

/** Loads it once nothing else is to be done: it may be the server that is not there. */
export function useStatesSoon() {
  useEffect(() => whenIdle(tryStates), []);
}

/**
 * Says that something could not be read, and what to do.
 * @param {Parameters<typeof LoadFailureView>[0]} props
 */
export function LoadFailure(props) {
  useEffect(tryStates, []);
  return html`<${loadFailure.View} ...${props} />`;
}

/**
 * Says that the backend does not have this, and how that is known.
 * @param {Parameters<typeof UnsupportedView>[0]} props
 */
export function Unsupported(props) {
  useEffect(tryStates, []);
  return html`<${unsupported.View} ...${props} />`;
}
