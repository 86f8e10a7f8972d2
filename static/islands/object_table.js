// @ts-check
/// <reference lib="dom" />
import { useLayoutEffect, useMemo } from "preact/hooks";
import { BrowserActions } from "../lib/browse/actions.js";
import { ListState } from "../lib/browse/list_state.js";
import { browserShortcuts } from "../lib/browse/shortcuts.js";
import { ObjectTable } from "../lib/browse/table/object_table.js";
import { PlainVersions } from "../lib/browse/table/plain_versions.js";
import { PageLinks } from "../lib/browse/table/page_links.js";
import { TableBrowser } from "../lib/browse/table/table_browser.js";
import { TableToolbar } from "../lib/browse/table/table_toolbar.js";
import { prepareWorkspace, Workspace } from "../lib/browse/workspace.js";
import { t } from "../lib/i18n.js";
import { addShortcuts } from "../lib/keys.js";
import { html } from "../lib/ui.js";

/** @import { BrowserProps } from "../lib/browse/folder.js" */
/** @import { FirstVersions } from "../lib/browse/table/plain_versions.js" */
/** @import { TablePage } from "../lib/browse/table/table_place.js" */

/** Keys that move in the other list; here they do what they do on any page. */
const listKeys = ["ArrowDown", "ArrowUp", "j", "k"];

/** Loads what the first view shows besides the list; to be awaited before that is rendered. */
export const prepare = prepareWorkspace;

/**
 * The object browser with a plain table for its list, a page at a time.
 * @param {BrowserProps & { tablePage: TablePage, again: string | null, versions: FirstVersions | null }} props `again`: where
 *   readers without script wait for the rows if none came in time; `versions`: those that the place shows, for them alone
 */
export function Island(props) {
  const { now, again, versions } = props;
  const { browser, actions } = useMemo(() => {
    const browser = new TableBrowser(props);
    return { browser, actions: new BrowserActions(browser) };
  }, []);
  useLayoutEffect(() => {
    const shortcuts = browserShortcuts(browser, actions).filter(({ run, keys }) =>
      run !== undefined && !listKeys.includes(keys)
    );
    const stops = [browser.start(), addShortcuts(shortcuts)];
    return () => stops.forEach((stop) => stop());
  }, []);
  const { unreachable } = browser.loader;
  const rows = html`
    <${ObjectTable} browser=${browser} actions=${actions} now=${now} />
    <${ListState} browser=${browser} actions=${actions} />
  `;
  const foot = html`
    ${again !== null && html`
      <p class="without-script"><a class="button" href=${again}>${t("browse.load_again")}</a></p>
    `}
    ${versions !== null && html`<${PlainVersions} browser=${browser} first=${versions} now=${now} />`}
    ${!unreachable && html`<${PageLinks} browser=${browser} />`}
  `;
  return html`
    <${Workspace} browser=${browser} actions=${actions} now=${now} rows=${rows} foot=${foot}
      toolbar=${html`<${TableToolbar} browser=${browser} actions=${actions} />`} />
  `;
}
