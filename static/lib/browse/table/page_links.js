// @ts-check
import { formatNumber } from "../../format.js";
import { t } from "../../i18n.js";
import { html, Icon } from "../../ui.js";
import { firstPage, nextPage, pageSizes, previousPage } from "./table_place.js";

/** @import { TableBrowser } from "./table_browser.js" */

/**
 * The way to the pages around the one that is shown, and to longer or shorter ones: links, each to an address of its own.
 * @param {{ browser: TableBrowser }} props
 */
export function PageLinks({ browser }) {
  const { tablePage: page, loader } = browser;
  const listing = loader.listing.value;
  loader.version.value;
  if (!listing.started) return html`<footer class="browser-status"></footer>`;
  const previous = previousPage(page);
  const next = listing.token === undefined ? null : nextPage(page, listing.token);
  const first = firstPage(page);
  return html`
    <footer class="browser-status plain-foot">
      <p role="status">${t("browse.table_page", {
        page: page.number,
        rows: t("browse.table_rows", { n: browser.rows.value.length }),
      })}</p>
      <nav class="plain-sizes" aria-label=${t("browse.table_sizes")}>${pageSizes.map((rows) =>
        html`
          <a key=${rows} href=${browser.pageHref({ ...first, rows })} aria-current=${rows === page.rows
            ? "true"
            : undefined} aria-label=${t("browse.table_size", { n: rows })}>${formatNumber(rows)}</a>
        `
      )}</nav>
      ${(page.number > 1 || next !== null) && html`
        <nav class="row" aria-label=${t("browse.table_pages")}>
          ${page.number > 1 && html`<a class="button button-small" href=${browser.pageHref(first)}>${
            t(
              "browse.table_first",
            )
          }</a>`}
          ${previous !== null && html`
            <a class="button button-small" rel="prev" href=${browser.pageHref(previous)}><${Icon}
              name="chevron-left" />${t("browse.table_previous")}</a>
          `}
          ${next !== null && html`
            <a class="button button-small" rel="next" href=${browser.pageHref(next)}>${t(
              "browse.table_next",
            )}<${Icon} name="chevron-right" /></a>
          `}
        </nav>
      `}
    </footer>
  `;
}
