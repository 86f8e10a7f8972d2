// @ts-check
/// <reference lib="dom" />
import { t } from "../../i18n.js";
import { Bytes, html, Icon, Time } from "../../ui.js";
import { storageClassName } from "../entries.js";
import { iconOf, KeyLabel } from "../key_label.js";
import { extensionOf } from "../kinds.js";
import { renameField } from "../lazy_parts.js";

/** @import { BrowserActions } from "../actions.js" */
/** @import { Entry } from "../entries.js" */
/** @import { TableBrowser } from "./table_browser.js" */

/**
 * The folders and objects of a page as a table such as any document has: no keys of its own, every control is reached by Tab.
 * @param {{ browser: TableBrowser, actions: BrowserActions, now: number }} props
 */
export function ObjectTable({ browser, actions, now }) {
  const rows = browser.rows.value;
  const { prefix } = browser.place.value;
  const place = prefix === "" ? browser.bucket : prefix;
  return html`
    <div id="objects" class="plain-list" tabindex="-1" data-stale=${browser.loader.stale.value
      ? ""
      : undefined}>
      <table class="plain-table">
        <caption class="visually-hidden">${t("browse.table_caption", { place })}</caption>
        <${Head} browser=${browser} />
        <tbody>${rows.map((entry, index) =>
          html`
            <${Row} key=${entry.key} browser=${browser} actions=${actions} entry=${entry} index=${index}
              now=${now} />
          `
        )}</tbody>
      </table>
    </div>
  `;
}

/** @param {{ browser: TableBrowser }} props */
function Head({ browser }) {
  const rows = browser.rows.value.length;
  const selected = browser.selection.value.keys.size;
  const columns = browser.columns.value;
  const all = () => selected > 0 ? browser.clearSelection() : browser.selectAll();
  return html`
    <thead>
      <tr>
        <td class="plain-check needs-script"><label class="check-cell"><input type="checkbox" aria-label=${t(
          "common.select_all",
        )}
          checked=${selected > 0} indeterminate=${selected > 0 && selected < rows}
          disabled=${rows === 0} onClick=${all} /></label></td>
        <th scope="col">${t("common.name")}</th>
        <th scope="col" class="number">${t("common.size")}</th>
        ${columns.includes("type") && html`<th scope="col" class="plain-wide">${t("browse.type")}</th>`}
        <th scope="col" class="plain-time">${t("common.modified")}</th>
        ${columns.includes("class") && html`<th scope="col" class="plain-wide">${t("browse.class")}</th>`}
        ${columns.includes("owner") && html`<th scope="col" class="plain-wide">${t("browse.owner")}</th>`}
        <td class="plain-more needs-script"></td>
      </tr>
    </thead>
  `;
}

/**
 * @param {{ browser: TableBrowser, actions: BrowserActions, entry: Entry, index: number, now: number }} props
 */
function Row({ browser, actions, entry, index, now }) {
  const { key, name, folder, size, modified, storageClass, owner } = entry;
  const shown = name || t("browse.no_name");
  const columns = browser.columns.value;
  const selected = browser.isSelected(key);
  const measured = folder ? browser.folderSizes.value.get(key)?.bytes : size;
  const toggle = (/** @type {MouseEvent} */ event) =>
    browser.select(index, { toggle: true, range: event.shiftKey });
  return html`
    <tr data-selected=${selected ? "" : undefined} data-open=${key === browser.place.value.open
      ? ""
      : undefined}
      onFocusIn=${() => browser.activeKey.value = key}>
      <td class="plain-check needs-script"><label class="check-cell"><input type="checkbox" checked=${selected}
        aria-label=${t("browse.select_row", { name: shown })} onClick=${toggle} /></label></td>
      <th scope="row" class="plain-name"><span>
        <${Icon} name=${iconOf(entry)} class=${folder ? "icon-folder" : "icon-file"} />
        ${browser.renaming.value === key
          ? html`<${renameField.View} browser=${browser} entry=${entry} />`
          : html`<${NameLink} browser=${browser} entry=${entry} />`}
      </span></th>
      <td class="number">${measured === undefined ? null : html`<${Bytes} value=${measured} />`}</td>
      ${columns.includes("type") && html`
        <td class="plain-wide">${folder ? t("common.folder") : extensionOf(name).toUpperCase()}</td>
      `}
      <td class="plain-time">${modified > 0 && html`<${Time} at=${modified} now=${now} />`}</td>
      ${columns.includes("class") && html`
        <td class="plain-wide">${!folder && storageClassName(storageClass)}</td>
      `}
      ${columns.includes("owner") && html`<td class="plain-wide">${owner}</td>`}
      <td class="plain-more needs-script">
        <button type="button" class="icon-button" aria-haspopup="menu" aria-label=${t("browse.actions_for", {
          name: shown,
        })} onClick=${(/** @type {any} */ event) =>
          actions.openMenu(entry, event.currentTarget)}><${Icon} name="more" /></button>
      </td>
    </tr>
  `;
}

/** @param {{ browser: TableBrowser, entry: Entry }} props */
function NameLink({ browser, entry: { key, name, folder } }) {
  const { prefix, filter } = browser.place.value;
  const href = browser.href(folder ? { prefix: key } : { prefix, filter, open: key });
  const open = (/** @type {MouseEvent} */ event) => {
    if (folder || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    browser.showDetails(key);
  };
  return html`<a href=${href} onClick=${open}><${KeyLabel} name=${name} /></a>`;
}
