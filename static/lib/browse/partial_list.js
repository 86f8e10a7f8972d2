// @ts-check
import { t } from "../i18n.js";
import { searchPage } from "../places/search_scope.js";
import { Button, html, Icon } from "../ui.js";
import { before } from "./key_before.js";

/** @import { Browser } from "./browser.js" */

/**
 * What stands below a list that is not all of its folder: whether sorting reaches the rest, and the ways to it.
 * @param {{ browser: Browser }} props
 */
export function PartialList({ browser }) {
  const { loader, place, backend, bucket } = browser;
  const { prefix, filter, sort } = place.value;
  const listing = loader.listing.value;
  loader.version.value;
  const loading = loader.loading.value;
  const canGrow = !listing.ended && !loader.full;
  const requests = requestsLeft(browser);
  return html`
    ${!listing.ended && sort.field !== "name" && html`
      <p class="badge badge-warn"><${Icon} name="alert" />${t("browse.sorted_among", {
        n: listing.length,
      })}</p>
    `}
    ${canGrow &&
      (loading === "all"
        ? html`<${Button} small onClick=${() => loader.stop()}>${t("common.stop")}<//>`
        : html`
          <${Button} small onClick=${() => loader.all()}>${requests === null
            ? t("browse.load_all")
            : t("browse.load_all_requests", { n: requests })}<//>
        `)}
    ${filter !== "" && html`
      <a href="${searchPage(filter, { backend: backend.id, bucket, prefix })}&scan=1">${t(
        "browse.search_within",
      )}</a>
    `}
    ${(!listing.ended || listing.startAfter !== "") && html`<${Jump} browser=${browser} />`}
    ${(loading === "more" || loading === "all") && html`<span class="faint">${t("common.loading")}</span>`}
  `;
}

/**
 * Goes to where names begin with what is typed, without listing what comes before.
 * @param {{ browser: Browser }} props
 */
function Jump({ browser }) {
  const { startAfter } = browser.loader.listing.value;
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    jumpTo(browser, event.target.elements.name.value);
    document.getElementById("objects")?.focus();
  };
  return html`
    ${startAfter !== "" && html`
      <${Button} small onClick=${() => jumpTo(browser, "")}>${t("browse.from_beginning")}<//>
    `}
    <form class="jump-form" onSubmit=${submit}>
      <input name="name" class="input" aria-label=${t("browse.jump_to")} placeholder=${t("browse.jump_to")}
        autocomplete="off" autocapitalize="off" spellcheck=${false} />
    </form>
  `;
}

/**
 * Lists the folder from a name on, without what comes before it.
 * @param {Browser} browser
 * @param {string} name the beginning of one; empty for the folder's beginning
 */
function jumpTo({ loader, place, view }, name) {
  const { prefix, sort } = place.value;
  if (view) view.scrollTop = 0;
  // Listed is what comes after a key: the one just before the name, for which the name's last character is lowered.
  loader.load(prefix, "", sort, name === "" ? "" : before(prefix + name));
}

/**
 * About how many requests the rest of the list takes, as far as it is known how many objects there are; else `null`. In a
 * folder with others in it they may be anywhere.
 * @param {Browser} browser
 */
function requestsLeft({ loader, place, objectCount, folderSizes }) {
  const { prefix } = place.value;
  const { folders, length, filter, startAfter } = loader.listing.value;
  const count = folderSizes.value.get(prefix)?.count ?? (prefix === "" ? objectCount.value : 0);
  if (folders.length > 0 || filter !== "" || startAfter !== "" || count <= length) return null;
  return Math.ceil((count - length) / loader.pageSize);
}
