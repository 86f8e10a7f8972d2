// @ts-check
import { useEffect } from "preact/hooks";
import { t } from "../i18n.js";
import { html } from "../ui.js";
import { partialList } from "./lazy_parts.js";

/** @import { Browser } from "./browser.js" */
/** @import { Listing } from "./listing.js" */

/**
 * What the list holds and what it does not: how much is loaded, and what can be done about the rest.
 * @param {{ browser: Browser }} props
 */
export function StatusBar({ browser }) {
  const { loader } = browser;
  const listing = loader.listing.value;
  loader.version.value;
  const isPart = listing.started && (!listing.complete || listing.filter !== "");
  useEffect(() => {
    if (isPart) partialList.load().catch(() => {});
  }, [isPart]);
  if (!listing.started) return html`<footer class="browser-status"></footer>`;
  const rest = loader.full ? `. ${t("browse.list_full")}` : `, ${t("browse.more_to_come")}`;
  return html`<footer class="browser-status">
    <p role="status">${listText(browser, listing)}${!listing.ended && rest}${
    holdsOthers(browser, listing) &&
    `. ${t("browse.rest_by_beginning")}`
  }</p>
    ${isPart && html`<${partialList.View} browser=${browser} />`}
  </footer>`;
}

/**
 * @param {Browser} browser
 * @param {Listing} listing
 */
function listText(browser, listing) {
  const { filter, kinds } = browser.place.value;
  const n = browser.rows.value.length;
  if (filter !== "") {
    return (listing.complete && listing.filter === "") || holdsOthers(browser, listing)
      ? t("browse.items_with", { n, filter })
      : t("browse.items_beginning", { n, filter });
  }
  if (kinds) return t("browse.items_of", { n, all: listing.length });
  const { folders, objects } = listing;
  const parts = [];
  if (folders.length > 0) parts.push(t("common.folders", { n: folders.length }));
  if (objects.length > 0 || folders.length === 0) parts.push(t("common.objects", { n: objects.length }));
  return parts.join(", ");
}

/**
 * Whether rows have the filter elsewhere than at the beginning, in a folder that is not all loaded.
 * @param {Browser} browser
 * @param {Listing} listing
 */
function holdsOthers({ place, rows }, listing) {
  const { filter } = place.value;
  if (listing.complete && listing.filter === "") return false;
  return filter !== "" && rows.value.some(({ name }) => !name.startsWith(filter));
}
