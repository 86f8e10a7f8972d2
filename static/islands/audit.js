// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { apiFilter } from "../lib/admin/audit_filter.js";
import { FilterChips, FilterForm, isFiltered, WrongField } from "../lib/admin/audit_filter_form.js";
import { AuditHistogram, rowCountText, useHistogram } from "../lib/admin/audit_histogram.js";
import { useLiveTail, withNewRows } from "../lib/admin/audit_live.js";
import { AuditTable } from "../lib/admin/audit_table.js";
import { request, withQuery } from "../lib/api.js";
import { useFilterKey } from "../lib/filter_key.js";
import { rich, t } from "../lib/i18n.js";
import { visit } from "../lib/navigation.js";
import { PageHead } from "../lib/page_head.js";
import { Segmented } from "../lib/segmented.js";
import { toastError } from "../lib/toast.js";
import { Button, EmptyState, html, Icon } from "../lib/ui.js";

/**
 * @typedef {{ id: number | string, timestamp: string, user_id: string, username?: string | null, action: string, backend: string,
 *   bucket: string, key: string, request_id: string, ip: string, user_agent: string, status: string,
 *   detail: Record<string, any> }} AuditEvent
 * @typedef {{ events: AuditEvent[], next_cursor?: string | null, total?: number }} Page
 * @typedef {Record<string, string>} Filter
 */

/** Pages that are asked for at one press of the button, while they have no row: each looks at a part of the log. */
const pagesAtOnce = 20;

/** Where the browser keeps the zone that times are shown in. */
const zoneItem = "audit_zone";

/**
 * The filter is the page's query string: the form is sent to the server as any form is, and works without script.
 * @param {{ filter: Filter, wrong: string[], page: Page, backends: Array<{ id: string, name: string }> }} props
 */
export function Island({ filter, wrong, page, backends }) {
  // Of the pages that were loaded, the first one grows with what is live.
  const [pages, setPages] = useState([page.events]);
  const shown = pages.reduce((count, events) => count + events.length, 0);
  const [cursor, setCursor] = useState(page.next_cursor ?? null);
  const [busy, setBusy] = useState(false);
  const [isUtc, setUtc] = useZone();
  const [live, setLive] = useState(false);
  const histogram = useHistogram(filter, { valid: wrong.length === 0, rows: pages[0].length });
  const paused = useLiveTail({
    filter,
    live,
    onRows: (found) => setPages(([newest, ...older]) => [withNewRows(newest, found), ...older]),
  });
  useFilterKey(t("audit.title"), '.audit-filter [name="user"]');
  const loadMore = async () => {
    setBusy(true);
    try {
      const next = await nextRows(filter, cursor);
      setPages((loaded) => [...loaded, next.events]);
      setCursor(next.next_cursor ?? null);
    } catch (error) {
      toastError(t("audit.more_failed"), error);
    }
    setBusy(false);
  };
  const narrow = (/** @type {string} */ from, /** @type {string} */ to) =>
    visit(withQuery("/admin/audit", { ...filter, from, to }));
  const counted = histogram === null || histogram === "failed" ? "" : rowCountText(histogram);
  return html`
    <${PageHead} title=${t("audit.title")} actions=${html`
      <a class="button" href=${withQuery("/api/admin/audit.csv", apiFilter(filter))} download=""
        title=${counted}><${Icon} name="download" />CSV${counted &&
          html`<span class="unit">${counted}</span>`}</a>
    `}>${t("audit.intro")}<//>
    <${NotRecorded} />
    <${FilterForm} filter=${filter} wrong=${wrong} backends=${backends} />
    ${wrong.map((name) => html`<${WrongField} key=${name} name=${name} value=${filter[name]} />`)}
    ${isFiltered(filter) && html`<${FilterChips} filter=${filter} />`}
    ${wrong.length === 0 &&
      html`
        <div class="needs-script">
          <${AuditHistogram} histogram=${histogram} isUtc=${isUtc} onNarrow=${narrow} />
        </div>
      `}
    <div class="toolbar audit-toolbar needs-script">
      <${Segmented} label=${t("audit.zone")} value=${isUtc ? "utc" : "local"} onChange=${(
        /** @type {string} */ zone,
      ) => setUtc(zone === "utc")} options=${[["local", t("audit.local_time")], ["utc", "UTC"]]} />
      <label class="check audit-live"><input type="checkbox" role="switch" checked=${live}
        disabled=${Boolean(filter.to)} onChange=${(/** @type {any} */ event) =>
          setLive(event.target.checked)} />
        <span>${t("audit.live")}</span></label>
      <span class="muted" role="status">${liveText(filter, live, paused)}</span>
    </div>
    <div class="table-box audit-box">
      ${shown === 0
        ? html`<${NoRows} filter=${filter} hasMore=${cursor !== null} busy=${busy} onSearch=${loadMore} />`
        : html`<${AuditTable} pages=${pages} filter=${filter} isUtc=${isUtc} />`}
      ${shown > 0 && html`<div class="table-foot">
        <span role="status">${shownText(shown, page.total, cursor !== null)}</span>
        ${
        cursor !== null &&
        html`<${Button} small=${true} busy=${busy} onClick=${loadMore}>${t("common.load_more")}</${Button}>`
      }
      </div>`}
    </div>
  `;
}

/**
 * Whether times are shown in UTC, which the browser remembers, and how to change that.
 * @returns {[boolean, (isUtc: boolean) => void]}
 */
function useZone() {
  const [isUtc, setUtc] = useState(false);
  useEffect(() => setUtc(localStorage.getItem(zoneItem) === "utc"), []);
  return [isUtc, (wanted) => {
    localStorage.setItem(zoneItem, wanted ? "utc" : "local");
    setUtc(wanted);
  }];
}

/**
 * @param {Filter} filter
 * @param {boolean} live
 * @param {boolean} paused
 */
function liveText(filter, live, paused) {
  if (filter.to) return t("audit.live_has_end");
  if (!live) return "";
  return paused ? t("audit.live_paused") : t("audit.live_on");
}

/**
 * The next page that has rows, or the last one asked for.
 * @param {Filter} filter
 * @param {string | null} cursor
 * @returns {Promise<Page>}
 */
async function nextRows(filter, cursor) {
  /** @type {Page} */
  let page = { events: [], next_cursor: cursor };
  for (let asked = 0; asked < pagesAtOnce && page.events.length === 0 && page.next_cursor; asked++) {
    page = await request("GET", "/api/admin/audit", {
      query: { ...apiFilter(filter), cursor: page.next_cursor },
    });
  }
  return page;
}

/**
 * @param {number} shown
 * @param {number | undefined} total unknown when there are many, or when counting them would take long
 * @param {boolean} hasMore
 */
function shownText(shown, total, hasMore) {
  if (total !== undefined) return t("audit.shown_of", { n: Math.max(total, shown), shown });
  return hasMore ? t("audit.shown_and_more", { n: shown }) : t("audit.shown", { n: shown });
}

/** @param {{ filter: Filter, hasMore: boolean, busy: boolean, onSearch: () => void }} props */
function NoRows({ filter, hasMore, busy, onSearch }) {
  if (hasMore) {
    const search = html`<${Button} busy=${busy} onClick=${onSearch}>${t("audit.search_further")}</${Button}>`;
    return html`<${EmptyState} icon="audit" title=${t("audit.none_so_far")} action=${search}>
      ${t("audit.step_by_step")}<//>`;
  }
  if (isFiltered(filter)) {
    const clear = html`<a class="button" href="/admin/audit">${t("audit.clear_filter")}</a>`;
    return html`<${EmptyState} icon="audit" title=${t("audit.none_match")} action=${clear}>
      ${t("audit.none_match_hint")}<//>`;
  }
  return html`<${EmptyState} icon="audit" title=${t("audit.none_yet")}>${t("audit.none_yet_hint")}<//>`;
}

function NotRecorded() {
  return html`
    <details class="audit-more">
      <summary>${t("audit.not_in_here")}</summary>
      <ul class="audit-hints">
        <li>${t("audit.not_tags")}</li>
        <li>${t("audit.not_reads")}</li>
        <li>${rich("audit.not_sampled", {
          name: html`<code>audit.sampling.proxy_success_read_rate</code>`,
        })}</li>
        <li>${rich("audit.not_old", { name: html`<code>audit.retention</code>` })}</li>
      </ul>
    </details>
  `;
}
