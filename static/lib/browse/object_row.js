// @ts-check
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { Bytes, Time } from "../ui.js";
import { storageClassName } from "./entries.js";
import { iconOf, KeyLabel } from "./key_label.js";

/** @import { Browser } from "./browser.js" */
/** @import { Entry } from "./entries.js" */

/**
 * One folder or object. Its name is a link, so that it can be opened in a new tab, and works without script.
 * @param {{ browser: Browser, entry: Entry, index: number, selected: boolean, active: boolean, now: number }} props
 */
export function ObjectRow({ browser, entry, index, selected, active, now }) {
  const { key, name, folder, size, modified, storageClass } = entry;
  const href = folder
    ? browser.href({ prefix: key })
    : browser.href({ prefix: browser.place.value.prefix, filter: browser.place.value.filter, open: key });
  return html`
    <div id="object-${index}" class="object-row" role="row" aria-rowindex=${index +
      2} aria-selected=${selected ? "true" : "false"}
      data-index=${index} data-active=${active ? "" : undefined} data-open=${key === browser.place.value.open
        ? ""
        : undefined} data-folder=${folder ? key : undefined}>
      <span class="object-check" role="gridcell"><input type="checkbox" tabindex="-1" checked=${selected}
        aria-label="Select ${name || "(no name)"}" /></span>
      <span class="object-name" role="gridcell">
        <${Icon} name=${iconOf(entry)} class=${folder ? "icon-folder" : "icon-file"} />
        <a href=${href} tabindex="-1" draggable="false"><${KeyLabel} name=${name} /></a>
      </span>
      <span class="object-size" role="gridcell">${!folder && html`<${Bytes} value=${size} />`}</span>
      <span class="object-modified" role="gridcell">${modified > 0 &&
        html`<${Time} at=${modified} now=${now} />`}</span>
      <span class="object-class" role="gridcell">${!folder && storageClassName(storageClass)}</span>
      <span class="object-more" role="gridcell">
        <button type="button" tabindex="-1" aria-haspopup="menu"
          aria-label="Actions for ${name || "(no name)"}"><${Icon} name="more" /></button>
      </span>
    </div>
  `;
}
