// @ts-check
import { t } from "../i18n.js";
import { searchPage } from "../places/search_scope.js";
import { Button, EmptyState, html, Icon } from "../ui.js";

/** @import { Browser } from "./browser.js" */

/**
 * That the filter leaves nothing, and what else can be done to find it.
 * @param {{ browser: Browser }} props
 */
export function NoMatch({ browser }) {
  const { backend, bucket } = browser;
  const { filter, prefix } = browser.place.value;
  const listing = browser.loader.listing.value;
  const isWhole = filter === "" || (listing.complete && listing.filter === "");
  const clear = () => browser.alter({ filter: "", kinds: "" });
  const text = filter === "" ? t("browse.no_kind") : t("browse.no_match", { filter });
  const search = `${searchPage(filter, { backend: backend.id, bucket, prefix })}&scan=1`;
  const ways = html`
    <div class="row">
      <${Button} onClick=${clear}>${t("browse.clear_filter")}<//>
      ${filter !== "" && html`
        <a class="button" href=${search}><${Icon} name="search" />${t("browse.search_below")}</a>
      `}
    </div>
  `;
  return html`
    <div class="list-state">
      <${EmptyState} icon="search" title=${t("browse.nothing_matches")} action=${ways}>
          ${text}${!isWhole && ` ${t("browse.rest_by_beginning")}`}<//></div>
  `;
}
