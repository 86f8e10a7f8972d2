// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { apiFilter } from "../lib/admin/audit_filter.js";
import { filterFields, FilterForm, WrongField } from "../lib/admin/audit_filter_form.js";
import { AuditRow } from "../lib/admin/audit_row.js";
import { request, withQuery } from "../lib/api.js";
import { formatNumber } from "../lib/format.js";
import { PageHead } from "../lib/page_head.js";
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

/**
 * The filter is the page's query string: the form is sent to the server as any form is, and works without script.
 * @param {{ filter: Filter, wrong: string[], page: Page, backends: Array<{ id: string, name: string }> }} props
 */
export function Island({ filter, wrong, page, backends }) {
  const [events, setEvents] = useState(page.events);
  const [cursor, setCursor] = useState(page.next_cursor ?? null);
  const [busy, setBusy] = useState(false);
  const loadMore = async () => {
    setBusy(true);
    try {
      const next = await nextRows(filter, cursor);
      setEvents((shown) => [...shown, ...next.events]);
      setCursor(next.next_cursor ?? null);
    } catch (error) {
      toastError("More rows could not be loaded", error);
    }
    setBusy(false);
  };
  const filtered = filterFields.some(([name]) => filter[name]);
  return html`
    <${PageHead} title="Audit log" actions=${html`
      <a class="button"
        href=${withQuery("/api/admin/audit.csv", apiFilter(filter))} download="">
            <${Icon} name="download" />CSV</a>
    `}>
      Who did what, newest first. Writes of tags and metadata are not recorded, nor is each read through the S3 endpoint.
    <//>
    <${NotRecorded} />
    <${FilterForm} filter=${filter} wrong=${wrong} backends=${backends} />
    ${wrong.map((name) => html`<${WrongField} key=${name} name=${name} value=${filter[name]} />`)}
    ${filtered && html`<${Chips} filter=${filter} />`}
    <div class="table-box audit-box">
      ${events.length === 0 && cursor !== null
        ? html`
          <${EmptyState} icon="audit" title="No row matches so far"
            action=${html`<${Button} busy=${busy} onClick=${loadMore}>Search further back</${Button}>`}>
                  These filters together are looked for step by step. A user, a bucket or an action alone is found at once.<//>
        `
        : events.length === 0
        ? html`
          <${EmptyState} icon="audit" title=${filtered ? "No row matches" : "Nothing has happened yet"}
            action=${filtered && html`<a class="button" href="/admin/audit">Clear the filter</a>`}>
                  ${filtered
                    ? "Take a filter away, or choose a longer time."
                    : "Sign-ins, changes and denials will be listed here."}<//>
        `
        : html`<${AuditTable} events=${events} filter=${filter} />`}
      ${events.length > 0 && html`<div class="table-foot">
        <span role="status">${shownText(events.length, page.total, cursor !== null)}</span>
        ${
        cursor !== null &&
        html`<${Button} small=${true} busy=${busy} onClick=${loadMore}>Load more</${Button}>`
      }
      </div>`}
    </div>
  `;
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
  if (total !== undefined) return `${formatNumber(shown)} of ${formatNumber(total)} ${rowWord(total)} shown`;
  return `${formatNumber(shown)} ${rowWord(shown)} shown${hasMore ? ", there may be more" : ""}`;
}

/** @param {number} count */
function rowWord(count) {
  return count === 1 ? "row" : "rows";
}

function NotRecorded() {
  return html`
    <details class="audit-more">
      <summary>What is not in here</summary>
      <ul class="audit-hints">
        <li>Writes of tags and metadata: they are in the log of the service only.</li>
        <li>Reads in the dashboard, such as lists and downloads.</li>
        <li>Successful reads through the S3 endpoint, but for the share of them that
          <code>audit.sampling.proxy_success_read_rate</code> says. It is 0 by default. Writes, deletes and refusals
          are always recorded.</li>
        <li>Rows older than <code>audit.retention</code>, unless that is 0.</li>
      </ul>
    </details>
  `;
}

/** @param {{ filter: Filter }} props */
function Chips({ filter }) {
  const without = (/** @type {string} */ name) => withQuery("/admin/audit", { ...filter, [name]: undefined });
  return html`<ul class="chips" aria-label="Active filters">
    ${
    filterFields.filter(([name]) => filter[name]).map(([name, label]) =>
      html`
        <li key=${name} class="chip"><span class="faint">${label}</span> <span class="break">${filter[
          name
        ]}</span>
          <a class="icon-button icon-button-small"
            href=${without(name)} aria-label="Remove the filter ${label}"><${Icon} name="close" /></a></li>
      `
    )
  }
    <li><a class="button button-small button-quiet" href="/admin/audit">Clear all</a></li>
  </ul>`;
}

/** @param {{ events: AuditEvent[], filter: Filter }} props */
function AuditTable({ events, filter }) {
  return html`
    <table class="table table-cards audit-table">
      <thead>
        <tr>
          <th scope="col" class="audit-toggle"><span class="visually-hidden">Details</span></th>
          <th scope="col">Time</th>
          <th scope="col">User</th>
          <th scope="col">Action</th>
          <th scope="col">Target</th>
          <th scope="col">Status</th>
          <th scope="col">Address</th>
        </tr>
      </thead>
      <tbody>${events.map((event) =>
        html`<${AuditRow} key=${event.id} event=${event} filter=${filter} />`
      )}</tbody>
    </table>
  `;
}
