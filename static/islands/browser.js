// @ts-check
/// <reference lib="dom" />
import { useEffect, useMemo } from "preact/hooks";
import { BrowserActions } from "../lib/browse/actions.js";
import { titleOf } from "../lib/browse/address.js";
import { Browser } from "../lib/browse/browser.js";
import { ListState } from "../lib/browse/list_state.js";
import { ObjectGrid } from "../lib/browse/object_grid.js";
import { PathBar } from "../lib/browse/path_bar.js";
import { browserShortcuts } from "../lib/browse/shortcuts.js";
import { StatusBar } from "../lib/browse/status_bar.js";
import { Toolbar } from "../lib/browse/toolbar.js";
import { addShortcuts } from "../lib/keys.js";
import { LazyComponent } from "../lib/lazy_component.js";
import { toastError } from "../lib/toast.js";
import { html } from "../lib/ui.js";
import { DropZone } from "../lib/upload/drop_zone.js";

/** @import { BrowserProps } from "../lib/browse/browser.js" */

const details = new LazyComponent(async () => (await import("../lib/browse/details.js")).Details);

/**
 * Loads what the first view shows besides the list; to be awaited before that is rendered.
 * @param {Pick<BrowserProps, "place">} props
 */
export async function prepare({ place }) {
  if (place.open !== "") await details.load();
}

/**
 * The object browser: path, actions, list, details, uploads.
 * @param {BrowserProps & { more: { label: string, href: string } | null, from: number }} props
 */
export function Island(props) {
  const { now, more, from } = props;
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
  useEffect(() => {
    if (open !== "") details.load().catch((error) => toastError("The details cannot be shown", error));
  }, [open !== ""]);
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
      ${more && html`<p class="without-script"><a class="button" href=${more.href}>${more.label}</a></p>`}
      ${!unreachable && html`<${StatusBar} browser=${browser} />`}
    </div>
    ${!unreachable && html`<${details.View} browser=${browser} actions=${actions} now=${now} />`}
    ${actions.menu.value}
    ${browser.canWrite && !unreachable && html`<${DropZone} browser=${browser} actions=${actions} />`}
  </div>`;
}
