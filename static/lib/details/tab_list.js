// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef } from "preact/hooks";
import { html } from "../ui.js";

/**
 * The heads of tabs, by the pattern of https://www.w3.org/WAI/ARIA/apg/patterns/tabs/: one stop of the tab key, arrow keys
 * go from one to the next and open it. The panel must have the id `<id>-panel`.
 * @template {string} T
 * @param {{
 *   id: string, label: string, value: T, tabs: ReadonlyArray<readonly [T, string]>, onChange: (value: T) => void
 * }} props
 */
export function TabList({ id, label, value, tabs, onChange }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const head =
      /** @type {HTMLElement | null | undefined} */ (list.current?.querySelector('[aria-selected="true"]'));
    // On small screens some heads are out of sight; only their own row is to move.
    if (head && list.current) list.current.scrollLeft = head.offsetLeft - list.current.clientWidth / 2;
  }, [value]);
  const keys = (/** @type {any} */ event) => {
    const at = tabs.findIndex(([name]) => name === value);
    const next = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[/** @type {string} */ (event.key)];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(tabs[next][0]);
    event.currentTarget.children[next].focus();
  };
  return html`
    <div class="tab-list" role="tablist" ref=${list} aria-label=${label}
      onKeyDown=${keys}>${tabs.map(([name, text]) =>
        html`
          <button type="button" key=${name} role="tab" id="${id}-${name}" aria-selected=${name === value
            ? "true"
            : "false"}
            aria-controls="${id}-panel" tabindex=${name === value ? 0 : -1}
            onClick=${() => onChange(name)}>${text}</button>
        `
      )}</div>
  `;
}
