// @ts-check
import { formatNumber } from "../format.js";
import { plural } from "../i18n.js";
import { Button, html, Icon } from "../ui.js";

/** @import { Browser } from "./browser.js" */

/**
 * What the list holds and what it does not: how much is loaded, whether sorting and filtering reach all of it.
 * @param {{ browser: Browser }} props
 */
export function StatusBar({ browser }) {
  const { loader, place, rows } = browser;
  const listing = loader.listing.value;
  loader.version.value;
  if (!listing.started) return html`<footer class="browser-status"></footer>`;
  const { filter, sort } = place.value;
  const partial = !listing.complete;
  const loading = loader.loading.value;
  return html`<footer class="browser-status">
    <p role="status">${filter === "" ? counted(listing) : filtered(rows.value.length, filter, listing)}${
    partial && (loader.full ? ". Narrow the list with the filter to see more." : ", more to come")
  }</p>
    ${
    partial && sort.field !== "name" &&
    html`<p class="badge badge-warn"><${Icon} name="alert" />Sorted among ${
      formatNumber(listing.length)
    } loaded</p>`
  }
    ${
    partial && !loader.full && (loading === "all"
      ? html`<${Button} small onClick=${() =>
        loader.stop()}>Stop<//>`
      : html`<${Button} small onClick=${() => loader.all()}>Load all<//>`)
  }
    ${(loading === "more" || loading === "all") && html`<span class="faint">Loading…</span>`}
  </footer>`;
}

/** @param {import("./listing.js").Listing} listing */
function counted({ folders, objects }) {
  const parts = [];
  if (folders.length > 0) parts.push(plural(folders.length, "folder", "folders"));
  if (objects.length > 0 || folders.length === 0) parts.push(plural(objects.length, "object", "objects"));
  return parts.join(", ");
}

/**
 * @param {number} count
 * @param {string} filter
 * @param {import("./listing.js").Listing} listing
 */
function filtered(count, filter, listing) {
  const how = listing.complete && listing.filter === "" ? "with" : "beginning with";
  return `${plural(count, "item", "items")} ${how} “${filter}”`;
}
