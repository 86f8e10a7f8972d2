// @ts-check
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { Bytes, Time } from "../ui.js";
import { t } from "../i18n.js";
import { storageClassName } from "./entries.js";
import { iconOf, KeyLabel } from "./key_label.js";
import { extensionOf } from "./kinds.js";
import { folderSize, renameField } from "./lazy_parts.js";
import { SizeShare } from "./size_share.js";

/** @import { Browser } from "./browser.js" */
/** @import { Entry } from "./entries.js" */

/**
 * One folder or object. Its name is a link, so that it can be opened in a new tab, and works without script.
 * @param {{ browser: Browser, entry: Entry, index: number, selected: boolean, active: boolean, now: number }} props
 */
export function ObjectRow({ browser, entry, index, selected, active, now }) {
  const { key, name, folder, modified, storageClass } = entry;
  const shown = name || t("browse.no_name");
  const columns = browser.columns.value;
  const href = folder
    ? browser.href({ prefix: key })
    : browser.href({ prefix: browser.place.value.prefix, filter: browser.place.value.filter, open: key });
  return html`
    <div id="object-${index}" class="object-row" role="row" aria-rowindex=${index +
      2} aria-selected=${selected ? "true" : "false"}
      data-index=${index} draggable=${browser.canWrite ? "true" : undefined} data-active=${active
        ? ""
        : undefined} data-open=${key === browser.place.value.open ? "" : undefined}
      data-folder=${folder ? key : undefined}>
      <span class="object-check" role="gridcell"><input type="checkbox" tabindex="-1" checked=${selected}
        aria-label=${t("browse.select_row", { name: shown })} /></span>
      <span class="object-name" role="gridcell">
        <${Icon} name=${iconOf(entry)} class=${folder ? "icon-folder" : "icon-file"} />
        ${browser.renaming.value === key
          ? html`<${renameField.View} browser=${browser} entry=${entry} />`
          : html`<a href=${href} tabindex="-1" draggable="false"><${KeyLabel} name=${name} /></a>`}
      </span>
      <span class="object-size" role="gridcell"><${Size} browser=${browser} entry=${entry} /></span>
      ${columns.includes("type") && html`
        <span class="object-type" role="gridcell">${typeText(entry)}</span>
      `}
      <span class="object-modified" role="gridcell">${modified > 0 &&
        html`<${Time} at=${modified} now=${now} />`}</span>
      ${columns.includes("class") && html`
        <span class="object-class" role="gridcell">${!folder && storageClassName(storageClass)}</span>
      `}
      ${columns.includes("owner") && html`<span class="object-owner" role="gridcell">${entry.owner}</span>`}
      <span class="object-more" role="gridcell">
        <button type="button" tabindex="-1" aria-haspopup="menu"
          aria-label=${t("browse.actions_for", { name: shown })}><${Icon} name="more" /></button>
      </span>
    </div>
  `;
}

/**
 * An object's size, or a folder's once it was counted.
 * @param {{ browser: Browser, entry: Entry }} props
 */
function Size({ browser, entry }) {
  if (entry.folder) return html`<${folderSize.View} browser=${browser} folder=${entry.key} />`;
  return html`
    <${Bytes} value=${entry.size} />
    <${SizeShare} browser=${browser} bytes=${entry.size} />
  `;
}

/** @param {Entry} entry */
function typeText({ folder, name }) {
  return folder ? t("common.folder") : extensionOf(name).toUpperCase();
}
