// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { withQuery } from "../api.js";
import { KeyLabel } from "../browse/key_label.js";
import { CopyButton } from "../copy_button.js";
import { formatUtc } from "../format.js";
import { t } from "../i18n.js";
import { Badge, Button, html, Icon } from "../ui.js";
import { minuteAround, RelatedRows } from "./audit_related.js";
import { AuditTime } from "./audit_time.js";
import { actionWords } from "./audit_actions.js";

/** @typedef {import("../../islands/audit.js").AuditEvent} AuditEvent */

/** Keys of a bulk delete that are listed before one asks for the rest. */
const firstKeys = 20;

/**
 * A row of the audit table, and below it, when opened, everything that is recorded.
 * @param {{ event: AuditEvent, filter: Record<string, string>, isUtc: boolean, opened: Set<AuditEvent["id"]> }} props
 *   `opened`: the rows that are open, also while they are not drawn
 */
export function AuditRow({ event, filter, isUtc, opened }) {
  const [open, setOpen] = useState(opened.has(event.id));
  const toggle = () => {
    if (open) opened.delete(event.id);
    else opened.add(event.id);
    setOpen(!open);
  };
  const detailId = `audit-${event.id}`;
  const label = t("audit.details_of", {
    action: actionWords(event.action),
    time: formatUtc(Date.parse(event.timestamp)),
  });
  return html`
    <tr class=${open ? "audit-open" : ""}>
      <td class="audit-toggle">
        <button type="button" class="icon-button icon-button-small" aria-expanded=${open ? "true" : "false"}
          aria-controls=${detailId} aria-label=${label} onClick=${toggle}>
          <${Icon} name="chevron-right" />
        </button>
      </td>
      <td data-label=${t("audit.time")} class="nowrap">
        <${AuditTime} at=${event.timestamp} isUtc=${isUtc} />
      </td>
      <td data-label=${t("common.user")} class="audit-user">
        <${Actor} event=${event} filter=${filter} />
      </td>
      <td class="cell-head audit-action">
        <${Action} action=${event.action} />
      </td>
      <td data-label=${t("audit.target")} class="audit-target">
        <${Target} event=${event} />
      </td>
      <td data-label=${t("audit.status")}>
        <${Status} event=${event} />
      </td>
      <td data-label=${t("audit.address")} class="nowrap"><span class="mono muted">${event.ip}</span></td>
    </tr>
    <tr class="detail-row" id=${detailId} hidden=${!open}>
      ${open && html`
        <td colspan="7">
          <${AuditDetail} event=${event} isUtc=${isUtc} />
        </td>
      `}
    </tr>
  `;
}

/**
 * Who did it: a user, or whatever name or key a request without one gave.
 * @param {{ event: AuditEvent, filter: Record<string, string> }} props
 */
function Actor({ event: { username, user_id: userId, detail }, filter }) {
  const user = username ?? userId;
  if (user === "") {
    return html`<span class="faint truncate">${
      detail.username ?? detail.access_key_id ?? t("audit.nobody")
    }</span>`;
  }
  const href = withQuery("/admin/audit", { ...filter, user });
  return html`<a class="truncate quiet-link" href=${href}>${user}</a>`;
}

/** @param {{ action: string }} props */
function Action({ action }) {
  const words = actionWords(action);
  if (words === action) return html`<code class="break">${action}</code>`;
  return html`<span class="audit-words">${words}</span><code class="cell-sub truncate">${action}</code>`;
}

/**
 * How it went, and where it failed, why: the reason if there is one, else the code or the result.
 * @param {{ event: AuditEvent }} props
 */
function Status({ event: { status, detail } }) {
  if (status === "ok") return html`<${Badge} kind="ok">ok</${Badge}>`;
  const why = detail.reason ?? detail.code ?? detail.result;
  return html`
    <div class="audit-status">
      <${Badge} kind="bad">${status}</${Badge}>
        ${typeof why === "string" &&
          html`<span class="visually-hidden"> · </span><code class="cell-sub truncate" title=${why}>${why}</code>`}</div>
  `;
}

/** @param {{ event: AuditEvent }} props */
function Target({ event: { username, backend, bucket, key, detail } }) {
  const count = Array.isArray(detail.keys) ? detail.keys.length : 0;
  const path = [backend, bucket].filter(Boolean).join(" / ");
  if (path === "") {
    const other = detail.username === username ? "" : detail.username ?? detail.user_id ?? "";
    return other && html`<span class="truncate">${other}</span>`;
  }
  return html`
    <span class="audit-path">
      ${key && html`<span class="audit-key" title=${key}><${KeyLabel} name=${key} /></span>`}
      ${count > 0 && html`<span class="nowrap">${t("audit.keys", { n: count })}</span>`}
      <span class=${key || count > 0 ? "cell-sub truncate" : "muted truncate"}>${path}</span>
    </span>
  `;
}

/** @param {{ event: AuditEvent, isUtc: boolean }} props */
function AuditDetail({ event, isUtc }) {
  const { keys, ...detail } = event.detail;
  const at = Date.parse(event.timestamp);
  const around = minuteAround(at);
  return html`<div class="audit-detail">
    <dl class="facts">
      <dt>${t("audit.time")}</dt><dd class="mono">${event.timestamp}</dd>
      <dt>${t("common.user")}</dt><dd class="break">${
    event.username ?? html`<span class="faint">${t("audit.no_user")}</span>`
  }
        ${
    event.user_id && html`
      ${" "}<span class="mono faint">${event.user_id}</span>
    `
  }</dd>
      ${
    event.key && html`
      <dt>${t("audit.key")}</dt>
      <dd class="mono break"><bdi dir="ltr">${event.key}</bdi></dd>
    `
  }
      <dt>${t("audit.address")}</dt><dd class="mono">${event.ip}</dd>
      <dt>${t("audit.program")}</dt><dd class="break">${
    event.user_agent || html`<span class="faint">${t("audit.not_said")}</span>`
  }</dd>
      <dt>${
    t("audit.request")
  }</dt><dd class="mono break">${event.request_id} <${CopyButton} text=${event.request_id} label=${
    t("audit.copy_request_id")
  } /></dd>
    </dl>
    ${
    Object.keys(detail).length > 0 &&
    html`<pre class="code" tabindex="0" aria-label=${t("audit.details")}>${
      JSON.stringify(detail, null, 2)
    }</pre>`
  }
    ${Array.isArray(keys) && html`<${KeyList} keys=${keys} />`}
    ${event.user_id && html`<${RelatedRows} event=${event} isUtc=${isUtc} />`}
    <p class="row">
      <a href=${withQuery("/admin/audit", around)}>${t("audit.within_a_minute")}</a>
      ${
    event.user_id &&
    html`
      <a
        href=${withQuery("/admin/audit", {
          ...around,
          user: event.username ?? event.user_id,
        })}>${t("audit.same_user_within_a_minute")}</a>
    `
  }
    </p>
  </div>`;
}

/** @param {{ keys: unknown[] }} props */
function KeyList({ keys }) {
  const [all, setAll] = useState(false);
  const shown = all ? keys : keys.slice(0, firstKeys);
  return html`<div class="audit-keys">
    <h3>${t("audit.keys", { n: keys.length })}</h3>
    <ul class="code" tabindex="0" role="list" aria-label=${t("audit.keys_label")}>${
    shown.map((key, index) => html`<li key=${index}><bdi dir="ltr">${keyName(key)}</bdi></li>`)
  }</ul>
    ${
    shown.length < keys.length && html`<${Button} small=${true} onClick=${() =>
      setAll(true)}>${t("audit.show_all", { n: String(keys.length) })}</${Button}>`
  }
  </div>`;
}

/** @param {unknown} key a key, or an object that has one */
function keyName(key) {
  return typeof key === "string" ? key : JSON.stringify(key);
}
