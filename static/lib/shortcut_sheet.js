// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { DialogFrame, openDialog } from "./dialog.js";
import { html } from "./html.js";
import { t } from "./i18n.js";
import { keyNames } from "./key_names.js";
import { listShortcuts, setShortcutsOff, shortcutsOff } from "./keys.js";
import { loadStyles } from "./styles.js";

/** Opens the list of shortcuts. */
export async function openShortcutSheet() {
  await loadStyles("lazy.css");
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
  // A page's own go before those of the frame with the same keys.
  const inForce = new Map(listShortcuts().map((shortcut) => [shortcut.keys, shortcut]));
  const groups = Map.groupBy(inForce.values(), ({ group }) => group ?? t("frame.this_page"));
  const toggle = (/** @type {any} */ event) => {
    setShortcutsOff(!event.target.checked);
    setOff(!event.target.checked);
  };
  return html`
    <${DialogFrame} title=${t("frame.shortcuts")} titleId=${titleId} onClose=${close}>
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
                      <dd>${keyNames(keys).map((name) => html`<kbd>${name}</kbd>`)}</dd>
                    </div>
                  `
                )}
              </dl>
            </section>
          `
        )}
      </div>
      <label class="check"><input type="checkbox" checked=${!off} onChange=${toggle} /> ${t(
        "frame.shortcuts_on",
      )}</label>
      <section>
        <h3>${t("frame.help")}</h3>
        <p>${t("frame.help_text")}</p>
      </section>
      <//>
  `;
}
