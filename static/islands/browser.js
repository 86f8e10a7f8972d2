// @ts-check
/// <reference lib="dom" />
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import { BrowserActions } from "../lib/browse/actions.js";
import { Browser } from "../lib/browse/browser.js";
import { thumbnails } from "../lib/browse/lazy_parts.js";
import { ListState } from "../lib/browse/list_state.js";
import { ObjectGrid } from "../lib/browse/object_grid.js";
import { browserShortcuts } from "../lib/browse/shortcuts.js";
import { StatusBar } from "../lib/browse/status_bar.js";
import { Toolbar } from "../lib/browse/toolbar.js";
import { prepareWorkspace, useLazy, Workspace } from "../lib/browse/workspace.js";
import { addShortcuts } from "../lib/keys.js";
import { html } from "../lib/ui.js";

/** @import { BrowserProps } from "../lib/browse/folder.js" */

/** Within a bucket, back and forward lead from folder to folder without a new page. */
export const followsHistory = true;

/** Loads what the first view shows besides the list; to be awaited before that is rendered. */
export const prepare = prepareWorkspace;

/** A link for readers without script. @typedef {{ label: string, href: string }} PlainLink */

/**
 * The object browser: path, actions, list, details, uploads.
 * @param {BrowserProps & { more: readonly PlainLink[], from: number }} props `more`: where readers without script go on
 */
export function Island(props) {
  const { now, more, from } = props;
  const { browser, actions } = useMemo(() => {
    const browser = new Browser(props);
    return { browser, actions: new BrowserActions(browser) };
  }, []);
  // At once: one may go back, or press a key, as soon as the page is there.
  useLayoutEffect(() => {
    const stops = [browser.start(), addShortcuts(browserShortcuts(browser, actions))];
    return () => stops.forEach((stop) => stop());
  }, []);
  const isGrid = browser.place.value.view === "grid";
  useLazy(thumbnails, isGrid);
  useEffect(() => {
    let stop = () => {};
    let isOver = false;
    const start = async () => {
      const { attendList } = await import("../lib/browse/attend_list.js");
      if (!isOver) stop = attendList(browser, actions);
    };
    const timer = setTimeout(() => start().catch(() => {}), history.state?.list ? 0 : 300);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
    };
  }, []);
  const rows = isGrid
    ? html`<${thumbnails.View} browser=${browser} actions=${actions} />`
    : html`<${ObjectGrid} browser=${browser} actions=${actions} from=${from} now=${now} />`;
  const foot = html`
    ${more.length > 0 && html`
      <p class="without-script"><span class="row">${more.map(({ label, href }) =>
        html`<a class="button" key=${href} href=${href}>${label}</a>`
      )}</span></p>
    `}
    ${!browser.loader.unreachable && html`<${StatusBar} browser=${browser} />`}
  `;
  return html`
    <${Workspace} browser=${browser} actions=${actions} now=${now} foot=${foot}
      toolbar=${html`<${Toolbar} browser=${browser} actions=${actions} />`}
      rows=${html`${rows}<${ListState} browser=${browser} actions=${actions} />`} />
  `;
}
