// @ts-check
/// <reference lib="dom" />
import { withQuery } from "../api.js";
import { useElementId } from "../ids.js";
import { Button, html, Notice } from "../ui.js";
import { ActionChoice } from "./audit_actions.js";
import { isDay } from "./audit_filter.js";

/** @typedef {Record<string, string>} Filter */

/** The filter's fields, as the API names them, with the words that stand before their value in a chip. */
export const filterFields = /** @type {const} */ ([
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

/** Statuses of rows: those of requests, and those of jobs that did not come to their end. */
const statuses = ["ok", "error", "stopped", "interrupted"];

/** @param {{ name: string, value: string }} props */
export function WrongField({ name, value }) {
  const label = filterFields.find(([field]) => field === name)?.[1] ?? name;
  return html`
    <div class="audit-wrong">
      <${Notice} kind="bad" role="alert">
        <strong>${label}:</strong> “${value}” is no time. Give a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z.
      <//></div>
  `;
}

/** @param {{ filter: Filter, wrong: string[], backends: Array<{ id: string, name: string }> }} props */
export function FilterForm({ filter, wrong, backends }) {
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
                ${statuses.map((status) =>
                  html`
                    <option key=${status} value=${status} selected=${filter.status ===
                      status}>${status}</option>
                  `
                )}
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
