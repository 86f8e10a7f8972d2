// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { t } from "../i18n.js";
import { toastError } from "../toast.js";
import { html } from "../ui.js";
import { DropZone } from "../upload/drop_zone.js";
import { titleOf } from "./address.js";
import { rememberedColumns, showColumns } from "./columns.js";
import {
  bucketLinks,
  details,
  emptyFolder,
  folderVersions,
  listFailure,
  noMatch,
  pathForm,
  quotaBanner,
  selectionBar,
} from "./lazy_parts.js";
import { PathBar } from "./path_bar.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */
/** @import { BrowserProps } from "./folder.js" */

/**
 * Loads what the first view shows besides the list; to be awaited before that is rendered.
 * @param {Pick<BrowserProps, "place" | "error" | "page">} props
 */
export async function prepareWorkspace({ place, error, page }) {
  // An object with the folder's own name is no row of it.
  if (page?.common_prefixes.length === 0 && page.objects.every(({ key }) => key === place.prefix)) {
    await (place.filter === "" ? emptyFolder : noMatch).load();
  }
  if (place.open !== "") await details.load();
  if (error !== null) await listFailure.load();
}

/**
 * What stands around the rows of a folder, however these are shown: path, actions, what was deleted, details, uploads.
 * @param {{ browser: Browser, actions: BrowserActions, now: number, toolbar: any, rows: any, foot: any }} props
 */
export function Workspace({ browser, actions, now, toolbar, rows, foot }) {
  const { prefix, open, at } = browser.place.value;
  const { unreachable } = browser.loader;
  const past = browser.isPast;
  useEffect(() => {
    const title = `${titleOf(prefix, browser.bucket, browser.backend.name)} · ${t("frame.product")}`;
    if (document.title === title) return;
    document.title = title;
    const announcement = document.getElementById("announcement");
    if (announcement !== null) announcement.textContent = title;
  }, [prefix]);
  useLazy(details, open !== "");
  useLazy(folderVersions, past);
  useEffect(() => {
    showColumns(browser, rememberedColumns());
    const abort = new AbortController();
    // What the first selection needs, what only few buckets show, and the words for a server that cannot be asked for them.
    const timer = setTimeout(() => {
      Promise.all([
        selectionBar.load(),
        bucketLinks.load(),
        pathForm.load(),
        listFailure.load(),
        unreachable || import("./quota.js").then(({ watchQuota }) => watchQuota(browser, abort.signal)),
      ]).catch(() => {});
    }, 300);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [unreachable]);
  // Below the list, where it moves nothing when it comes.
  const banner = html`<${quotaBanner.View} browser=${browser} now=${now} />`;
  return html`<div class="browser" data-details=${open === "" ? undefined : ""}>
    <h1 class="visually-hidden">${
    prefix === "" ? browser.bucket : t("browse.page_heading", { folder: prefix, bucket: browser.bucket })
  }</h1>
    <div class="browser-main">
      <${PathBar} browser=${browser} />
      ${!unreachable && !at && toolbar}
      <div class="browser-list">
        ${past ? html`<${folderVersions.View} browser=${browser} now=${now} />` : rows}
      </div>
      ${banner}
      ${foot}
    </div>
    ${!unreachable && html`<${details.View} browser=${browser} actions=${actions} now=${now} />`}
    ${actions.menu.value}
    ${
    browser.canWrite && !unreachable &&
    html`<${DropZone} browser=${browser} actions=${actions} />`
  }
  </div>`;
}

/**
 * Loads a part of the page as soon as it is wanted.
 * @param {import("../lazy_component.js").LazyComponent<any>} part
 * @param {boolean} wanted
 */
export function useLazy(part, wanted) {
  useEffect(() => {
    if (wanted) part.load().catch((error) => toastError(t("browse.action_failed"), error));
  }, [wanted]);
}
