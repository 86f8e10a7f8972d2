// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { DialogFrame, openDialog } from "./dialog.js";
import { html } from "./html.js";
import { listShortcuts, setShortcutsOff, shortcutsOff } from "./keys.js";

/** Opens the list of shortcuts. */
export function openShortcutSheet() {
  openDialog(({ close, titleId }) => html`<${ShortcutSheet} close=${close} titleId=${titleId} />`, {
    size: "medium",
  });
}

/**
 * The shortcuts of the page by group, and the switch that turns them off.
 * @param {{ close: () => void, titleId: string }} props
 */
function ShortcutSheet({ close, titleId }) {
  const [off, setOff] = useState(shortcutsOff());
  const groups = Map.groupBy(listShortcuts(), ({ group }) => group ?? "This page");
  const toggle = (/** @type {any} */ event) => {
    setShortcutsOff(!event.target.checked);
    setOff(!event.target.checked);
  };
  return html`
    <${DialogFrame} title="Keyboard shortcuts" titleId=${titleId} onClose=${close}>
      <div class="shortcut-groups">
        ${[...groups].map(([group, shortcuts]) =>
          html`
            <section key=${group}>
              <h3>${group}</h3>
              <dl class="shortcuts">
                ${shortcuts.map(({ keys, label }) =>
                  html`
                    <div key=${keys}>
                      <dt>${label}</dt>
                      <dd>${keysOf(keys).map((key) => html`<kbd>${keyName(key)}</kbd>`)}</dd>
                    </div>
                  `
                )}
              </dl>
            </section>
          `
        )}
      </div>
      <label
        class="check"><input type="checkbox" checked=${!off} onChange=${toggle} /> Single-key shortcuts are on</label>
      <//>
  `;
}

/**
 * The keys of a shortcut. Two are separated by a space; a space alone is a key.
 * @param {string} keys
 */
function keysOf(keys) {
  return keys === " " ? [keys] : keys.split(" ");
}

/** @param {string} key */
function keyName(key) {
  const modifier = navigator.platform.startsWith("Mac") ? "⌘" : "Ctrl+";
  const names = { ArrowUp: "↑", ArrowDown: "↓", " ": "Space" };
  return key.startsWith("mod+")
    ? modifier + key.slice(4).toUpperCase()
    : names[/** @type {" "} */ (key)] ?? key;
}
