// @ts-check
/// <reference lib="dom" />
import { t } from "../i18n.js";
import { html, Icon } from "../ui.js";

import { isColumn } from "./columns.js";

/** @import { Browser } from "./browser.js" */
/** @import { SortField } from "./entries.js" */
/** @import { Column } from "./columns.js" */
/** @import { MessageKey } from "../i18n.js" */

/** @type {readonly (readonly [SortField | Column, MessageKey])[]} */
const columns = [
  ["name", "common.name"],
  ["size", "common.size"],
  ["type", "browse.type"],
  ["modified", "common.modified"],
  ["class", "browse.class"],
  ["owner", "browse.owner"],
];

/**
 * The head of the list: what the columns are, and how it is sorted.
 * @param {{ browser: Browser }} props
 */
export function GridHead({ browser }) {
  const rows = browser.rows.value.length;
  const selected = browser.selection.value.keys.size;
  const shown = browser.columns.value;
  const all = () => selected > 0 ? browser.clearSelection() : browser.selectAll();
  return html`
    <div class="object-head" role="rowgroup">
      <div class="object-row" role="row" aria-rowindex="1">
        <span class="object-check" role="columnheader">
          <input type="checkbox" tabindex="-1" aria-label=${t("common.select_all")} checked=${selected > 0}
            indeterminate=${selected > 0 && selected < rows} disabled=${rows === 0} onClick=${all} />
        </span>
        ${columns.filter(([field]) => !isColumn(field) || shown.includes(field)).map((
          [field, label],
        ) => html`<${HeadCell} key=${field} browser=${browser} field=${field} label=${t(label)} />`)}
        <span class="object-more" role="columnheader"><span class="visually-hidden">${t(
          "common.actions",
        )}</span></span>
      </div>
    </div>
  `;
}

/** @param {{ browser: Browser, field: SortField | Column, label: string }} props */
function HeadCell({ browser, field, label }) {
  if (field === "type" || field === "owner") {
    return html`<span class="object-${field}" role="columnheader">${label}</span>`;
  }
  const { sort } = browser.place.value;
  const sorted = sort.field === field;
  return html`
    <span class="object-${field}" role="columnheader"
      aria-sort=${sorted ? sort.descending ? "descending" : "ascending" : undefined}>
          <button type="button" class="sort-button" tabindex="-1" onClick=${() =>
            browser.sortBy(field)}>${label}${sorted &&
            html`<${Icon} name=${sort.descending ? "sort-down" : "sort-up"} />`}</button></span>
  `;
}
