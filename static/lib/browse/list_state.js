// @ts-check
import { backendPage } from "./object_urls.js";
import { Button, EmptyState, html, Notice, Skeleton } from "../ui.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */

/** What to say about errors of a listing, by code. */
const errors = /** @type {Record<string, { icon: string, title: string, text: string }>} */ ({
  forbidden: {
    icon: "lock",
    title: "This bucket cannot be listed",
    text: "You may see the bucket, but not what is in it.",
  },
  not_found: {
    icon: "bucket",
    title: "There is no such bucket",
    text: "It may have been deleted, or its name is written otherwise.",
  },
  backend_timeout: {
    icon: "clock",
    title: "The backend does not answer",
    text: "It took too long to list this folder.",
  },
});

/**
 * What stands over the list when it has no rows: that it is being loaded, that there is nothing, or what went wrong.
 * @param {{ browser: Browser, actions: BrowserActions }} props
 */
export function ListState({ browser, actions }) {
  const { loader, place, rows } = browser;
  const failure = loader.failure.value;
  if (failure !== null) return html`<${Failure} browser=${browser} />`;
  if (rows.value.length > 0) return null;
  if (!loader.listing.value.started || loader.loading.value === "first") {
    return html`
      <div class="list-state"
        aria-busy="true"><span class="visually-hidden">Loading</span><${Skeleton} rows=${12} /></div>
    `;
  }
  const { filter, prefix } = place.value;
  if (filter !== "") {
    return html`
      <div class="list-state">
        <${EmptyState} icon="search" title="Nothing matches"
          action=${html`<${Button} onClick=${() => browser.setFilter("")}>Clear the filter<//>`}>
            No name here matches “${filter}”.<//></div>
    `;
  }
  const what = prefix === "" ? "bucket" : "folder";
  const upload = browser.canWrite &&
    html`
      <div class="row">
        <${Button} kind="primary" icon="upload" onClick=${() => actions.pickFiles()}>Upload files<//>
            <${Button} icon="folder-plus" onClick=${() => actions.newFolder()}>New folder<//></div>
    `;
  return html`
    <div class="list-state">
      <${EmptyState} icon="folder" title="This ${what} is empty" action=${upload}>${browser.canWrite
        ? "Drop files or folders here, or choose them."
        : "Nothing has been stored here yet."}<//></div>
  `;
}

/** @param {{ browser: Browser }} props */
function Failure({ browser }) {
  const { loader, rows } = browser;
  const failure = loader.failure.value ?? { code: "", message: "" };
  const partial = rows.value.length > 0;
  const retry = () => {
    if (!partial) return browser.reload();
    loader.failure.value = null;
    loader.more();
  };
  const again = html`<${Button} small=${partial} icon="refresh" onClick=${retry}>Try again<//>`;
  if (partial) {
    return html`
      <div class="list-notice">
        <${Notice} kind="bad" role="alert" action=${again}>
            The rest of this folder could not be listed: ${failure.message}<//></div>
    `;
  }
  const { icon, title, text } = errors[failure.code] ??
    { icon: "alert", title: "This folder could not be listed", text: failure.message };
  const { backend, canManage } = browser;
  const ways = html`
    <div class="row">${again}<a class="button" href=${backendPage(backend.id)}>Buckets of ${backend.name}</a>
      ${canManage && loader.unreachable && failure.code !== "not_found" && html`
        <a class="button" href="/admin/backends">Backends</a>
      `}</div>
  `;
  return html`
    <div class="list-state list-state-whole">
      <${EmptyState} icon=${icon} title=${title} action=${ways}>${text}<//></div>
  `;
}
