// @ts-check
/// <reference lib="dom" />
import { useEffect, useMemo } from "preact/hooks";
import { BrowserActions } from "../lib/browse/actions.js";
import { titleOf } from "../lib/browse/address.js";
import { Browser } from "../lib/browse/browser.js";
import { Details } from "../lib/browse/details.js";
import { ListState } from "../lib/browse/list_state.js";
import { firstRows, ObjectGrid } from "../lib/browse/object_grid.js";
import { PathBar } from "../lib/browse/path_bar.js";
import { browserShortcuts } from "../lib/browse/shortcuts.js";
import { StatusBar } from "../lib/browse/status_bar.js";
import { Toolbar } from "../lib/browse/toolbar.js";
import { addShortcuts } from "../lib/keys.js";
import { html } from "../lib/ui.js";
import { DropZone } from "../lib/upload/drop_zone.js";

/** @import { BrowserProps } from "../lib/browse/browser.js" */

/**
 * The object browser: path, actions, list, details, uploads.
 * @param {BrowserProps & { next: string | null, from: number }} props
 */
export function Island(props) {
  const { now, next, from } = props;
  const { browser, actions } = useMemo(() => {
    const browser = new Browser(props);
    return { browser, actions: new BrowserActions(browser) };
  }, []);
  useEffect(() => {
    const stops = [browser.start(), addShortcuts(browserShortcuts(browser, actions))];
    return () => stops.forEach((stop) => stop());
  }, []);
  const { prefix, open } = browser.place.value;
  const { unreachable } = browser.loader;
  useEffect(() => {
    document.title = `${titleOf(prefix, browser.bucket, browser.backend.name)} · Storage dashboard`;
  }, [prefix]);
  return html`<div class="browser" data-details=${open === "" ? undefined : ""}>
    <h1 class="visually-hidden">${prefix === "" ? browser.bucket : `${prefix} in ${browser.bucket}`}</h1>
    <div class="browser-main">
      <${PathBar} browser=${browser} />
      ${!unreachable && html`<${Toolbar} browser=${browser} actions=${actions} />`}
      <div class="browser-list">
        <${ObjectGrid} browser=${browser} actions=${actions} from=${from} now=${now} />
        <${ListState} browser=${browser} actions=${actions} />
        ${actions.tray.value}
      </div>
      ${
    next !== null && html`<p class="without-script"><a class="button" href=${next}>Next ${firstRows}</a></p>`
  }
      ${!unreachable && html`<${StatusBar} browser=${browser} />`}
    </div>
    ${!unreachable && html`<${Details} browser=${browser} actions=${actions} now=${now} />`}
    ${actions.menu.value}
    ${browser.canWrite && !unreachable && html`<${DropZone} browser=${browser} actions=${actions} />`}
  </div>`;
}
