// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { t } from "../i18n.js";
import { html, Skeleton } from "../ui.js";
import { emptyFolder, listFailure, noMatch } from "./lazy_parts.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */

/**
 * What stands over the list when it has no rows: that it is being loaded, that there is nothing, or what went wrong.
 * @param {{ browser: Browser, actions: BrowserActions }} props
 */
export function ListState({ browser, actions }) {
  const { loader, place, rows } = browser;
  const failure = loader.failure.value;
  const isFiltered = place.value.filter !== "" || Boolean(place.value.kinds);
  const isEmpty = loader.listing.value.started && rows.value.length === 0 && !isFiltered;
  const isInterrupted = failure !== null || loader.waitingUntil.value > 0;
  useEffect(() => {
    if (isFiltered) noMatch.load().catch(() => {});
  }, [isFiltered]);
  useEffect(() => {
    if (isInterrupted) listFailure.load().catch(() => {});
  }, [isInterrupted]);
  useEffect(() => {
    if (isEmpty) emptyFolder.load().catch(() => {});
  }, [isEmpty]);
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
  return html`<${emptyFolder.View} browser=${browser} actions=${actions} />`;
}
