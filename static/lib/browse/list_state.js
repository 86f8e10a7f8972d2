// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { t } from "../i18n.js";
import { Button, EmptyState, html, Skeleton } from "../ui.js";
import { listFailure, noMatch, uploadCommand } from "./lazy_parts.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */

/**
 * What stands over the list when it has no rows: that it is being loaded, that there is nothing, or what went wrong.
 * @param {{ browser: Browser, actions: BrowserActions }} props
 */
export function ListState({ browser, actions }) {
  const { loader, place, rows } = browser;
  const failure = loader.failure.value;
  const isInterrupted = failure !== null || loader.waitingUntil.value > 0;
  const isFiltered = place.value.filter !== "" || Boolean(place.value.kinds);
  useEffect(() => {
    if (isFiltered) noMatch.load().catch(() => {});
  }, [isFiltered]);
  useEffect(() => {
    if (isInterrupted) listFailure.load().catch(() => {});
  }, [isInterrupted]);
  if (isInterrupted) return html`<${listFailure.View} browser=${browser} />`;
  if (rows.value.length > 0) return null;
  if (!loader.listing.value.started || loader.loading.value === "first") {
    return html`
      <div class="list-state"
        aria-busy="true"><span class="visually-hidden">${t(
          "browse.loading",
        )}</span><${Skeleton} rows=${12} /></div>
    `;
  }
  if (isFiltered) return html`<${noMatch.View} browser=${browser} />`;
  return html`<${Empty} browser=${browser} actions=${actions} />`;
}

/** @param {{ browser: Browser, actions: BrowserActions }} props */
function Empty({ browser, actions }) {
  const { canWrite } = browser;
  useEffect(() => {
    if (canWrite) uploadCommand.load().catch(() => {});
  }, []);
  const ways = canWrite && html`
    <div class="row">
      <${Button} kind="primary" icon="upload" onClick=${() => actions.pickFiles()}>${t(
        "browse.upload_files",
      )}<//>
      <${Button} icon="folder-plus" onClick=${() => actions.newFolder()}>${t("browse.new_folder")}<//>
    </div>
    <${uploadCommand.View} browser=${browser} />
  `;
  return html`
    <div class="list-state">
      <${EmptyState} icon="folder" title=${browser.place.value.prefix === ""
        ? t("browse.bucket_empty")
        : t("browse.folder_empty")}
        action=${ways}>${canWrite ? t("browse.empty_drop") : t("browse.empty_read")}<//></div>
  `;
}
