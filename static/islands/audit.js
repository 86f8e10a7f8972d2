// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { ActionChoice } from "../lib/admin/audit_actions.js";
import { apiFilter, isDay } from "../lib/admin/audit_filter.js";
import { AuditRow } from "../lib/admin/audit_row.js";
import { request, withQuery } from "../lib/api.js";
import { formatNumber } from "../lib/format.js";
import { toastError } from "../lib/toast.js";
import { useElementId } from "../lib/ids.js";
import { Button, EmptyState, html, Icon, Notice, PageHead } from "../lib/ui.js";

/**
 * @typedef {{ id: number | string, timestamp: string, user_id: string, username?: string | null, action: string, backend: string,
 *   bucket: string, key: string, request_id: string, ip: string, user_agent: string, status: string,
 *   detail: Record<string, any> }} AuditEvent
 * @typedef {{ events: AuditEvent[], next_cursor?: string | null, total?: number }} Page
 * @typedef {Record<string, string>} Filter
 */

/** The filter's fields, as the API names them, with the words that stand before their value in a chip. */
const fields = /** @type {const} */ ([
  ["user", "User"],
  ["action", "Action"],
  ["backend", "Backend"],
  ["bucket", "Bucket"],
  ["key", "Key"],
  ["status", "Status"],
  ["from", "From"],
  ["to", "Until"],
]);

/** @type {ReadonlyArray<readonly [string, number]>} */
const ranges = [["Last hour", 3_600_000], ["Last day", 86_400_000], ["Last 7 days", 7 * 86_400_000], [
  "Last 30 days",
  30 * 86_400_000,
]];

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
      const next = await request("GET", "/api/admin/audit", { query: { ...apiFilter(filter), cursor } });
      setEvents((shown) => [...shown, ...next.events]);
      setCursor(next.next_cursor ?? null);
    } catch (error) {
      toastError("More rows could not be loaded", error);
    }
    setBusy(false);
  };
  const filtered = fields.some(([name]) => filter[name]);
  const total = page.total === undefined ? "more than 10,000" : formatNumber(page.total);
  return html`
    <${PageHead} title="Audit log" actions=${html`
      <a class="button"
        href=${withQuery("/api/admin/audit.csv", apiFilter(filter))} download="">
            <${Icon} name="download" />CSV</a>
    `}>
      Who did what, newest first. Writes of tags and metadata are not recorded, nor is each read through the S3 endpoint.
    <//>
    <${FilterForm} filter=${filter} wrong=${wrong} backends=${backends} />
    ${wrong.map((name) => html`<${WrongField} key=${name} name=${name} value=${filter[name]} />`)}
    ${filtered && html`<${Chips} filter=${filter} />`}
    <div class="table-box audit-box">
      ${events.length === 0
        ? html`
          <${EmptyState} icon="audit" title=${filtered ? "No row matches" : "Nothing has happened yet"}
            action=${filtered && html`<a class="button" href="/admin/audit">Clear the filter</a>`}>
                  ${filtered
                    ? "Take a filter away, or choose a longer time."
                    : "Sign-ins, changes and denials will be listed here."}<//>
        `
        : html`<${AuditTable} events=${events} filter=${filter} />`}
      ${events.length > 0 && html`<div class="table-foot">
        <span role="status">${formatNumber(events.length)} of ${total} ${
        page.total === 1 ? "row" : "rows"
      } shown</span>
        ${
        cursor !== null &&
        html`<${Button} small=${true} busy=${busy} onClick=${loadMore}>Load more</${Button}>`
      }
      </div>`}
    </div>
  `;
}

/** @param {{ name: string, value: string }} props */
function WrongField({ name, value }) {
  const label = fields.find(([field]) => field === name)?.[1] ?? name;
  return html`
    <div class="audit-wrong">
      <${Notice} kind="bad" role="alert">
        <strong>${label}:</strong> “${value}” is no time. Give a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z.
      <//></div>
  `;
}

/** @param {{ filter: Filter, wrong: string[], backends: Array<{ id: string, name: string }> }} props */
function FilterForm({ filter, wrong, backends }) {
  const open = ["bucket", "key", "status"].some((name) => filter[name]);
  const setRange = (/** @type {any} */ event, /** @type {number} */ length) => {
    const from = `${new Date(Date.now() - length).toISOString().slice(0, 19)}Z`;
    submitFilter(event.currentTarget.form, { from, to: "" });
  };
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    submitFilter(/** @type {HTMLFormElement} */ (event.currentTarget));
  };
  return html`
    <form class="audit-filter" method="get" action="/admin/audit" role="search" aria-label="Filter the audit log"
      onSubmit=${submit}>
      <div class="audit-fields">
        <${FilterField} label="User name or id" control=${(/** @type {string} */ id) =>
          html`
            <${FilterInput} id=${id} name="user" filter=${filter} />
          `} />
        <${FilterField} label="Action" control=${(/** @type {string} */ id) =>
          html`
            <${ActionChoice} id=${id} value=${filter.action ?? ""} />
          `} />
        <${FilterField} label="Backend" control=${(/** @type {string} */ id) =>
          html`
            <select class="select" id=${id} name="backend">
              <option value="">Every backend</option>
              ${backends.map((backend) =>
                html`
                  <option key=${backend.id} value=${backend.id}
                    selected=${filter.backend === backend.id}>${backend.name}</option>
                `
              )}
            </select>
          `} />
        <${FilterField} label="From, UTC" control=${(/** @type {string} */ id) =>
          html`
            <${TimeInput} id=${id} name="from" filter=${filter} wrong=${wrong} />
          `} />
        <${FilterField} label="Until, UTC" control=${(/** @type {string} */ id) =>
          html`
            <${TimeInput} id=${id} name="to" filter=${filter} wrong=${wrong} />
          `} />
        <${Button} type="submit" icon="filter">Filter</${Button}>
      </div>
      <div class="audit-ranges needs-script">${ranges.map(([label, length]) =>
        html`
          <${Button} key=${label} small=${true} kind="quiet" onClick=${(/** @type {any} */ event) =>
            setRange(event, length)}>${label}</${Button}>
        `
      )}
      </div>
      <details class="audit-more" open=${open}>
        <summary>More filters</summary>
        <div class="audit-fields">
          <${FilterField} label="Bucket" control=${(/** @type {string} */ id) =>
            html`
              <${FilterInput} id=${id} name="bucket" filter=${filter} />
            `} />
          <${FilterField} label="Key, in full" control=${(/** @type {string} */ id) =>
            html`
              <${FilterInput} id=${id} name="key" filter=${filter} />
            `} />
          <${FilterField} label="Status" control=${(/** @type {string} */ id) =>
            html`
              <select class="select" id=${id} name="status">
                <option value="">Every status</option>
                <option value="ok" selected=${filter.status === "ok"}>ok</option>
                <option value="error" selected=${filter.status === "error"}>error</option>
              </select>
            `} />
        </div>
      </details>
    </form>
  `;
}

/** @param {{ label: string, control: (id: string) => any }} props */
function FilterField({ label, control }) {
  const id = useElementId();
  return html`<div class="audit-field"><label for=${id}>${label}</label>${control(id)}</div>`;
}

/** @param {{ id: string, name: string, filter: Filter }} props */
function FilterInput({ id, name, filter }) {
  return html`<input class="input" id=${id} name=${name} defaultValue=${filter[name] ?? ""} />`;
}

/**
 * A day, or the exact time that the address says: a date input could not hold that.
 * @param {{ id: string, name: string, filter: Filter, wrong: string[] }} props
 */
function TimeInput({ id, name, filter, wrong }) {
  const value = filter[name] ?? "";
  return html`
    <input class="input" id=${id} name=${name} type=${value === "" || isDay(value) ? "date" : "text"}
      defaultValue=${value} aria-invalid=${wrong.includes(name) ? "true" : undefined} />
  `;
}

/**
 * Goes to the page with the form's fields, without the empty ones a plain form would send.
 * @param {HTMLFormElement} form
 * @param {Filter} [changes] fields that have another value than in the form
 */
function submitFilter(form, changes = {}) {
  const fields = /** @type {Filter} */ (Object.fromEntries(new FormData(form)));
  location.assign(withQuery("/admin/audit", { ...fields, ...changes }));
}

/** @param {{ filter: Filter }} props */
function Chips({ filter }) {
  const without = (/** @type {string} */ name) => withQuery("/admin/audit", { ...filter, [name]: undefined });
  return html`<ul class="chips" aria-label="Active filters">
    ${
    fields.filter(([name]) => filter[name]).map(([name, label]) =>
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
