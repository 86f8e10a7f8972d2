// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { t } from "../../i18n.js";
import { patience } from "../../patience.js";
import { Button, html, Icon } from "../../ui.js";
import { selectionBar } from "../lazy_parts.js";
import { Additions, ViewOptions } from "../toolbar.js";

/** @import { BrowserActions } from "../actions.js" */
/** @import { TableBrowser } from "./table_browser.js" */

/**
 * What can be done with the folder, or with what is selected in it.
 * @param {{ browser: TableBrowser, actions: BrowserActions }} props
 */
export function TableToolbar({ browser, actions }) {
  const selected = browser.hasSelection;
  useEffect(() => {
    if (selected) selectionBar.load();
  }, [selected]);
  return html`
    <div class="browser-toolbar plain-toolbar" role="group" aria-label=${t("common.actions")}>${selected
      ? html`<${selectionBar.View} browser=${browser} actions=${actions} />`
      : html`<${FilterForm} browser=${browser} />
        <${ViewOptions} browser=${browser} />
        ${actions.canChange && html`<${Additions} browser=${browser} actions=${actions} />`}`}</div>
  `;
}

/**
 * Leaves the names that begin with a text. A form with an address, which needs no script.
 * @param {{ browser: TableBrowser }} props
 */
function FilterForm({ browser }) {
  const { prefix, filter } = browser.place.value;
  const { rows, asked, patient } = browser.tablePage;
  return html`
    <form class="filter-box plain-filter" method="get" action=${browser.page}>
      <${Icon} name="search" />
      <input id="filter" class="input" type="search" name="q" aria-label=${t("browse.table_filter")}
        placeholder=${t("browse.table_filter")} autocomplete="off" autocapitalize="off" spellcheck=${false}
        defaultValue=${filter} />
      ${prefix !== "" && html`<input type="hidden" name="p" value=${prefix} />`}
      ${asked && html`<input type="hidden" name="list" value="table" />`}
      ${patient && html`<input type="hidden" name=${patience} value="1" />`}
      ${rows !== 100 && html`<input type="hidden" name="rows" value=${rows} />`}
      <${Button} type="submit">${t("common.filter")}<//>
    </form>
  `;
}
