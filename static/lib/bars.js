// @ts-check
/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { render } from "preact";
import { html } from "./html.js";
import { Icon } from "./icons.js";

/**
 * A line above the page about the state that all of it is in.
 * @typedef {object} Bar
 * @property {"info" | "warn" | "bad"} kind
 * @property {string} icon
 * @property {string} text
 * @property {{ label: string, run: () => unknown }} [action]
 */

/** @typedef {"session" | "connection" | "restart"} BarName */

/** @type {import("@preact/signals").Signal<ReadonlyMap<BarName, Bar>>} */
const bars = signal(new Map());

/**
 * Shows a bar in place of the last one of its name, or takes that away.
 * @param {BarName} name
 * @param {Bar | null} bar
 */
export function setBar(name, bar) {
  if (bar === null && !bars.peek().has(name)) return;
  const next = new Map(bars.peek());
  next.delete(name);
  if (bar !== null) next.set(name, bar);
  bars.value = next;
}

/** Draws the bars in the frame, whose live region for them they stay in. */
export function mountBars() {
  const region = document.getElementById("bars");
  if (region !== null) render(html`<${Bars} />`, region);
}

function Bars() {
  return [...bars.value].map(([name, { kind, icon, text, action }]) =>
    html`
      <div key=${name} class="bar bar-${kind}">
        <${Icon} name=${icon} /><p>${text}</p>
        ${action && html`<button type="button" class="button button-small" onClick=${() =>
          action.run()}>${action.label}</button>`}
      </div>
    `
  );
}
