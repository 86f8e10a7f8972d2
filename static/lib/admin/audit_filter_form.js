// @ts-check
/// <reference lib="dom" />
import { withQuery } from "../api.js";
import { t } from "../i18n.js";
import { useElementId } from "../ids.js";
import { visit } from "../navigation.js";
import { Button, html, Icon, Notice } from "../ui.js";
import { ActionChoice } from "./audit_actions.js";
import { isDay } from "./audit_filter.js";

/** @typedef {Record<string, string>} Filter */
/** @typedef {import("../i18n.js").MessageKey} MessageKey */

/**
 * The filter's fields, as the API names them, with the words that stand before their value in a chip.
 * @type {ReadonlyArray<readonly [string, MessageKey]>}
 */
export const filterFields = [
  ["user", "common.user"],
  ["action", "audit.action"],
  ["backend", "common.backend"],
  ["bucket", "common.bucket"],
  ["key", "audit.key"],
  ["key_contains", "audit.key_contains"],
  ["status", "audit.status"],
  ["result", "audit.result"],
  ["from", "audit.from_time"],
  ["to", "audit.until"],
];

/** @type {ReadonlyArray<readonly [MessageKey, number]>} */
const ranges = [
  ["audit.last_hour", 3_600_000],
  ["audit.last_day", 86_400_000],
  ["audit.last_week", 7 * 86_400_000],
  ["audit.last_month", 30 * 86_400_000],
  ["audit.last_quarter", 90 * 86_400_000],
];

/** Statuses of rows: those of requests, and those of jobs that did not come to their end. */
const statuses = ["ok", "error", "stopped", "interrupted"];

/** Results, reasons and codes that are looked for most; any other can be typed. */
const results = [
  "ok",
  "auth_failure",
  "scope_violation",
  "quota_exceeded",
  "rate_limited",
  "upstream_error",
  "forbidden",
  "csrf_invalid",
  "not_found",
  "wrong_password",
  "unknown_user",
  "account_locked",
];

/** @param {{ name: string, value: string }} props */
export function WrongField({ name, value }) {
  const label = filterFields.find(([field]) => field === name)?.[1];
  return html`
    <div class="audit-wrong">
      <${Notice} kind="bad" role="alert">
        <span id="audit-wrong-${name}"><strong>${label === undefined ? name : t(label)}:</strong> ${t(
          "audit.no_time",
          { value },
        )}</span>
        <//>
        </div>
  `;
}

/** @param {{ filter: Filter, wrong: string[], backends: Array<{ id: string, name: string }> }} props */
export function FilterForm({ filter, wrong, backends }) {
  const open = ["bucket", "key", "key_contains", "status", "result"].some((name) => filter[name]);
  const setRange = (/** @type {any} */ event, /** @type {number} */ length) => {
    const from = `${new Date(Date.now() - length).toISOString().slice(0, 19)}Z`;
    submitFilter(event.currentTarget.form, { from, to: "" });
  };
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    submitFilter(/** @type {HTMLFormElement} */ (event.currentTarget));
  };
  return html`
    <form class="audit-filter" method="get" action="/admin/audit" role="search" aria-label=${t(
      "audit.filter_label",
    )}
      onSubmit=${submit}>
      <div class="audit-fields">
        <${FilterField} label=${t("audit.user_field")} control=${(/** @type {string} */ id) =>
          html`
            <${FilterInput} id=${id} name="user" filter=${filter} />
          `} />
        <${FilterField} label=${t("audit.action")} control=${(/** @type {string} */ id) =>
          html`
            <${ActionChoice} id=${id} value=${filter.action ?? ""} />
          `} />
        <${FilterField} label=${t("common.backend")} control=${(/** @type {string} */ id) =>
          html`
            <select class="select" id=${id} name="backend">
              <option value="">${t("audit.every_backend")}</option>
              ${backends.map((backend) =>
                html`
                  <option key=${backend.id} value=${backend.id}
                    selected=${filter.backend === backend.id}>${backend.name}</option>
                `
              )}
            </select>
          `} />
        <${FilterField} label=${t("audit.from_utc")} control=${(/** @type {string} */ id) =>
          html`
            <${TimeInput} id=${id} name="from" filter=${filter} wrong=${wrong} />
          `} />
        <${FilterField} label=${t("audit.until_utc")} control=${(/** @type {string} */ id) =>
          html`
            <${TimeInput} id=${id} name="to" filter=${filter} wrong=${wrong} />
          `} />
        <${Button} type="submit" icon="filter">${t("common.filter")}</${Button}>
      </div>
      <div class="audit-ranges needs-script">${ranges.map(([label, length]) =>
        html`
          <${Button} key=${label} small=${true} kind="quiet" onClick=${(/** @type {any} */ event) =>
            setRange(event, length)}>${t(label)}</${Button}>
        `
      )}
      </div>
      <details class="audit-more" open=${open}>
        <summary>${t("audit.more_filters")}</summary>
        <div class="audit-fields">
          <${FilterField} label=${t("common.bucket")} control=${(/** @type {string} */ id) =>
            html`
              <${FilterInput} id=${id} name="bucket" filter=${filter} />
            `} />
          <${FilterField} label=${t("audit.key_in_full")} control=${(/** @type {string} */ id) =>
            html`
              <${FilterInput} id=${id} name="key" filter=${filter} />
            `} />
          <${FilterField} label=${t("audit.key_contains_field")} control=${(/** @type {string} */ id) =>
            html`
              <${FilterInput} id=${id} name="key_contains" filter=${filter} />
            `} />
          <${FilterField} label=${t("audit.status")} control=${(/** @type {string} */ id) =>
            html`
              <select class="select" id=${id} name="status">
                <option value="">${t("audit.every_status")}</option>
                ${statuses.map((status) =>
                  html`
                    <option key=${status} value=${status} selected=${filter.status ===
                      status}>${status}</option>
                  `
                )}
              </select>
            `} />
          <${FilterField} label=${t("audit.result")} control=${(/** @type {string} */ id) =>
            html`
              <${FilterInput} id=${id} name="result" filter=${filter} list="${id}-known" />
              <datalist id="${id}-known">${results.map((result) =>
                html`
                  <option key=${result} value=${result}></option>
                `
              )}</datalist>
            `} />
        </div>
        <p class="field-hint">${t("audit.step_by_step_hint")}</p>
      </details>
    </form>
  `;
}

/** @param {{ label: string, control: (id: string) => any }} props */
function FilterField({ label, control }) {
  const id = useElementId();
  return html`<div class="audit-field"><label for=${id}>${label}</label>${control(id)}</div>`;
}

/** @param {{ id: string, name: string, filter: Filter, list?: string }} props */
function FilterInput({ id, name, filter, list }) {
  return html`<input class="input" id=${id} name=${name} list=${list} defaultValue=${filter[name] ?? ""} />`;
}

/**
 * A day, or the exact time that the address says: a date input could not hold that.
 * @param {{ id: string, name: string, filter: Filter, wrong: string[] }} props
 */
function TimeInput({ id, name, filter, wrong }) {
  const value = filter[name] ?? "";
  const isWrong = wrong.includes(name);
  return html`
    <input class="input" id=${id} name=${name} type=${value === "" || isDay(value) ? "date" : "text"}
      defaultValue=${value} aria-invalid=${isWrong ? "true" : undefined}
      aria-describedby=${isWrong ? `audit-wrong-${name}` : undefined} />
  `;
}

/**
 * Goes to the page with the form's fields, without the empty ones a plain form would send.
 * @param {HTMLFormElement} form
 * @param {Filter} [changes] fields that have another value than in the form
 */
function submitFilter(form, changes = {}) {
  const fields = /** @type {Filter} */ (Object.fromEntries(new FormData(form)));
  visit(withQuery("/admin/audit", { ...fields, ...changes }));
}

/**
 * Whether a filter asks for anything.
 * @param {Filter} filter
 */
export function isFiltered(filter) {
  return filterFields.some(([name]) => filter[name]);
}

/**
 * What is filtered by, each with a link that takes it away.
 * @param {{ filter: Filter }} props
 */
export function FilterChips({ filter }) {
  return html`<ul class="chips" aria-label=${t("audit.active_filters")}>
    ${
    filterFields.filter(([name]) => filter[name]).map(([name, label]) =>
      html`
        <li key=${name} class="chip"><span class="faint">${t(label)}</span> <span class="break">${filter[
          name
        ]}</span>
          <a class="icon-button icon-button-small"
            href=${withQuery("/admin/audit", { ...filter, [name]: undefined })}
            aria-label=${t("audit.remove_filter", { field: t(label) })}><${Icon} name="close" /></a></li>
      `
    )
  }
    <li><a class="button button-small button-quiet" href="/admin/audit">${t("audit.clear_all")}</a></li>
  </ul>`;
}
